import type { Stretch } from "./runs.ts";

/** So many characters make a block, and then the rest of the line. */
const usual = 4_000;

/** A line longer than this is cut behind a space: a browser lays out nothing of that length. */
const longest = 12_000;

/**
 * Cuts a text into blocks that a browser lays out one by one, only when they are looked at. A block
 * ends behind a line's end, so that nothing looks otherwise than it did in one piece.
 */
export function blocksOf(text: string): Stretch[] {
  const blocks: Stretch[] = [];
  for (let start = 0; start < text.length; ) {
    const end = endOf(text, start);
    blocks.push({ start, end });
    start = end;
  }
  return blocks;
}

function endOf(text: string, start: number): number {
  const line = text.indexOf("\n", start + usual) + 1;
  if (line > 0 && line - start <= longest) return line;
  if (text.length - start <= longest) return text.length;
  const space = text.lastIndexOf(" ", start + longest) + 1;
  return space > start ? space : wholeCharacter(text, start + longest);
}

/** Never between the halves of a character. */
const wholeCharacter = (text: string, place: number): number =>
  (text.codePointAt(place - 1) ?? 0) > 0xffff ? place + 1 : place;

/** The number of the block that a place lies in; the last one for the text's end. */
export function blockAt(blocks: readonly Stretch[], place: number): number {
  let [low, high] = [0, blocks.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((blocks[middle]?.start ?? 0) <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** For each block what lies over it, in the order in which it was given. */
export function spreadOver<Over extends Stretch>(
  blocks: readonly Stretch[],
  stretches: readonly Over[],
): Over[][] {
  const over: Over[][] = blocks.map(() => []);
  for (const one of stretches) {
    if (one.start >= one.end) continue;
    const last = blockAt(blocks, one.end - 1);
    for (let at = blockAt(blocks, one.start); at <= last; at++) over[at]?.push(one);
  }
  return over;
}
