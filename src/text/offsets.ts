import { countBelow } from "./ascending.ts";

/**
 * Offsets into one text, in two counts: Unicode code points, which people and other programs count,
 * and UTF-16 units, which our strings count. They differ behind each character of two units.
 *
 *     a 😀 b      code points 0 1 2 3
 *     a ⌈⌉ b      units       0 1 3 4
 */
export interface Offsets {
  /** The text's length in code points. */
  readonly length: number;
  /** The unit at which a code point begins; the text's end for the code point behind the last. */
  unitAt(codePoint: number): number;
  /** The code point that a unit belongs to; the second half of a character belongs to its first. */
  codePointAt(unit: number): number;
  /** The text from one code point up to another, which is left out. */
  slice(start: number, end: number): string;
}

export function offsetsOf(text: string): Offsets {
  const pairs = pairsOf(text);
  const unitAt = (codePoint: number): number =>
    codePoint + countBelow(pairs, (pair, before) => pair - before < codePoint);
  return {
    length: text.length - pairs.length,
    unitAt,
    codePointAt: (unit) => unit - countBelow(pairs, (pair) => pair < unit),
    slice: (start, end) => text.slice(unitAt(start), unitAt(end)),
  };
}

/** Where the characters of two units begin. Most texts have none, and then both counts are one. */
function pairsOf(text: string): number[] {
  const pairs: number[] = [];
  for (const { index } of text.matchAll(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)) pairs.push(index);
  return pairs;
}
