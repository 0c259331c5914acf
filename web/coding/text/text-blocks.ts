import { elementAt } from "../../../src/text/arrays/element-at.ts";
import type { Span } from "./overlap-runs.ts";

/** The minimum block length. A block extends from there to the end of the line. */
const targetBlockChars = 4_000;

/**
 * The maximum block length. Longer lines are cut after a space, since browsers lay them out slowly.
 */
const maxBlockChars = 12_000;

/**
 * Cuts a text into blocks that the browser lays out only when they are near the viewport. Blocks
 * end at line ends, so that the text looks the same as in one piece.
 */
export function splitTextBlocks(text: string): Span[] {
  const blocks: Span[] = [];
  for (let start = 0; start < text.length; ) {
    const end = blockEnd(text, start);
    blocks.push({ start, end });
    start = end;
  }
  return blocks;
}

function blockEnd(text: string, start: number): number {
  const line = text.indexOf("\n", start + targetBlockChars) + 1;
  if (line > 0 && line - start <= maxBlockChars) return line;
  if (text.length - start <= maxBlockChars) return text.length;
  const space = text.lastIndexOf(" ", start + maxBlockChars) + 1;
  return space > start ? space : afterSurrogatePair(text, start + maxBlockChars);
}

/** Moves an offset out of the middle of a surrogate pair. */
const afterSurrogatePair = (text: string, offset: number): number =>
  (text.codePointAt(offset - 1) ?? 0) > 0xffff ? offset + 1 : offset;

/** The index of the block that contains an offset; the last block for the end of the text. */
export function blockIndexAt(blocks: readonly Span[], offset: number): number {
  let [low, high] = [0, blocks.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (elementAt(blocks, middle).start <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The spans that overlap each block, in their given order. */
export function spansByBlock<Over extends Span>(
  blocks: readonly Span[],
  spans: readonly Over[],
): Over[][] {
  const byBlock: Over[][] = blocks.map(() => []);
  if (blocks.length === 0) return byBlock;
  for (const span of spans) {
    if (span.start >= span.end) continue;
    const last = blockIndexAt(blocks, span.end - 1);
    for (let index = blockIndexAt(blocks, span.start); index <= last; index++) {
      elementAt(byBlock, index).push(span);
    }
  }
  return byBlock;
}
