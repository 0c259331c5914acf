import { countBelow } from "../arrays/binary-search.ts";
import { elementAt } from "../arrays/element-at.ts";
import type { TextSpan } from "./quote-search.ts";

/** Expands a span to its paragraph: between blank lines, or to whole lines if there are none. */
export function paragraphFinder(text: string): (span: TextSpan) => TextSpan {
  const blankLineGaps = gapsIn(text, blankLines);
  const gaps = blankLineGaps.length > 0 ? blankLineGaps : gapsIn(text, /\r\n|\n|\r/g);
  return (span) => trimSpan(text, spanBetweenGaps(gaps, span, text.length));
}

const blankLines = /(?:\r?\n|\r(?!\n))(?:[^\S\r\n]*(?:\r?\n|\r(?!\n)))+/g;

const gapsIn = (text: string, separator: RegExp): TextSpan[] =>
  [...text.matchAll(separator)].map(({ index, 0: gap }) => ({
    start: index,
    end: index + gap.length,
  }));

/** Expands a span to the sentence or sentences it overlaps. */
export function sentenceFinder(text: string): (span: TextSpan) => TextSpan {
  const ends = [...text.matchAll(sentenceEnd)]
    .map(({ index, 0: mark }) => ({ start: index, end: index + mark.length }))
    .filter(({ start, end }) => !isNoSentenceEnd(text, start, end))
    .map(({ end }) => ({ start: end, end }));
  return (span) => trimSpan(text, spanBetweenGaps(ends, span, text.length));
}

/**
 * Candidate sentence ends: punctuation with any closing brackets and quotation marks, and line
 * ends, unless the next line starts in lower case and so continues a wrapped sentence.
 */
const sentenceEnd =
  /[.!?…؟۔।॥።]{1,9}["'’”»\p{Pe}\p{Pf}]{0,9}(?=\s|$)|[。！？｡]{1,9}["”\p{Pe}\p{Pf}]{0,9}|(?:\r?\n|\r(?!\n))(?![^\S\r\n]{0,80}\p{Ll})/gu;

/** A period after an abbreviation, or before a lower-case letter, does not end a sentence. */
function isNoSentenceEnd(text: string, start: number, end: number): boolean {
  if (text[start] !== ".") return false;
  const isAbbreviated = abbreviation.test(text.slice(Math.max(0, start - 8), start));
  return isAbbreviated || /^\s{1,9}\p{Ll}/u.test(text.slice(end, end + 10));
}

const abbreviation =
  /(?<![\p{L}\p{M}])(?:Mr|Mrs|Ms|Dr|Prof|St|Sr|Sra|Mme|vs|No|Nr|bzw|ca|e\.g|i\.e|z\.B)$/iu;

/** From the last gap before a span to the first after it, or the ends of the text. */
function spanBetweenGaps(
  sortedGaps: readonly TextSpan[],
  span: TextSpan,
  textLength: number,
): TextSpan {
  const gapsBefore = countBelow(sortedGaps, ({ end }) => end <= span.start);
  const next = countBelow(sortedGaps, ({ start }) => start < span.end);
  return {
    start: gapsBefore === 0 ? 0 : elementAt(sortedGaps, gapsBefore - 1).end,
    end: next === sortedGaps.length ? textLength : elementAt(sortedGaps, next).start,
  };
}

/** Trims white space from both ends of a span, unless it contains nothing else. */
export function trimSpan(text: string, { start, end }: TextSpan): TextSpan {
  const content = text.slice(start, end);
  if (content.trim() === "") return { start, end };
  return {
    start: start + content.length - content.trimStart().length,
    end: end - content.length + content.trimEnd().length,
  };
}
