import { countBelow } from "./ascending.ts";
import type { Place } from "./quotes.ts";

/** The paragraph around a place: what lies between empty lines, or a line where a text has none. */
export function paragraphFinder(text: string): (place: Place) => Place {
  const empty = gapsIn(text, emptyLines);
  const gaps = empty.length > 0 ? empty : gapsIn(text, /\r\n|\n|\r/g);
  return (place) => trimmed(text, around(gaps, place, text.length));
}

const emptyLines = /(?:\r?\n|\r(?!\n))(?:[^\S\r\n]*(?:\r?\n|\r(?!\n)))+/g;

const gapsIn = (text: string, border: RegExp): Place[] =>
  [...text.matchAll(border)].map(({ index, 0: gap }) => ({
    start: index,
    end: index + gap.length,
  }));

/** The sentence around a place, or all that it reaches into. */
export function sentenceFinder(text: string): (place: Place) => Place {
  const ends = [...text.matchAll(sentenceEnd)]
    .map(({ index, 0: mark }) => ({ start: index, end: index + mark.length }))
    .filter(({ start, end }) => !goesOn(text, start, end))
    .map(({ end }) => ({ start: end, end }));
  return (place) => trimmed(text, around(ends, place, text.length));
}

/**
 * Where a sentence may end: at its mark with the brackets and quotation marks that close there, and
 * at a line's end, unless the next line goes on in small letters: then whoever set the page broke it.
 */
const sentenceEnd =
  /[.!?…؟۔।॥።]{1,9}["'’”»\p{Pe}\p{Pf}]{0,9}(?=\s|$)|[。！？｡]{1,9}["”\p{Pe}\p{Pf}]{0,9}|(?:\r?\n|\r(?!\n))(?![^\S\r\n]{0,80}\p{Ll})/gu;

/** A point behind an abbreviation, or before a small letter, ends nothing. */
function goesOn(text: string, start: number, end: number): boolean {
  if (text[start] !== ".") return false;
  const isAbbreviated = abbreviation.test(text.slice(Math.max(0, start - 8), start));
  return isAbbreviated || /^\s{1,9}\p{Ll}/u.test(text.slice(end, end + 10));
}

const abbreviation =
  /(?<![\p{L}\p{M}])(?:Mr|Mrs|Ms|Dr|Prof|St|Sr|Sra|Mme|vs|No|Nr|bzw|ca|e\.g|i\.e|z\.B)$/iu;

/** From the last gap before a place to the first behind it; gaps ascend. */
function around(gaps: readonly Place[], place: Place, length: number): Place {
  const behind = countBelow(gaps, ({ start }) => start < place.end);
  const before = countBelow(gaps, ({ end }) => end <= place.start) - 1;
  return { start: gaps[before]?.end ?? 0, end: gaps[behind]?.start ?? length };
}

/** Without the white space at both ends; white space alone stays as it is. */
export function trimmed(text: string, { start, end }: Place): Place {
  const words = text.slice(start, end);
  if (words.trim() === "") return { start, end };
  return {
    start: start + words.length - words.trimStart().length,
    end: end - words.length + words.trimEnd().length,
  };
}
