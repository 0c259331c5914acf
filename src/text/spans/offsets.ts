import { countBelow } from "../arrays/binary-search.ts";

/**
 * Converts between offsets in Unicode code points, used by other programs, and in UTF-16 units,
 * used by JavaScript strings. They differ after each surrogate pair.
 *
 *     a 😀 b      code points 0 1 2 3
 *     a ⌈⌉ b      units       0 1 3 4
 */
export interface CodePointOffsets {
  /** The text's length in code points. */
  readonly length: number;
  /** The unit offset of a code point offset. */
  unitAt(codePoint: number): number;
  /** The code point offset of the character that contains a unit. */
  codePointAt(unit: number): number;
  /** Like `String.slice`, by code points. */
  slice(start: number, end: number): string;
}

export function codePointOffsets(text: string): CodePointOffsets {
  const pairs = surrogatePairsOf(text);
  const unitAt = (codePoint: number): number =>
    codePoint + countBelow(pairs, (pair, before) => pair - before < codePoint);
  return {
    length: text.length - pairs.length,
    unitAt,
    codePointAt: (unit) => unit - countBelow(pairs, (pair) => pair < unit),
    slice: (start, end) => text.slice(unitAt(start), unitAt(end)),
  };
}

/** The unit offsets of all surrogate pairs. Most texts have none. */
function surrogatePairsOf(text: string): number[] {
  const pairs: number[] = [];
  for (const { index } of text.matchAll(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)) pairs.push(index);
  return pairs;
}
