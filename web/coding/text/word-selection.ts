import { sentenceFinder, trimSpan } from "../../../src/text/spans/sentence-spans.ts";
import type { Span } from "./overlap-runs.ts";

/** A text whose words can be found from any offset without a scan from its start. */
export interface WordSegments {
  text: string;
  segments: Intl.Segments;
}

export function segmentWords(text: string): WordSegments {
  if (cachedSegments?.text !== text) {
    const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });
    cachedSegments = { text, segments: segmenter.segment(text) };
  }
  return cachedSegments;
}

/** A cache of one entry: consecutive keys use the same text, and segmenting a long one is slow. */
let cachedSegments: WordSegments | undefined;

/** How a key changes the selection: to another word, or one of its boundaries by a word. */
export type SelectionMove = "next" | "previous" | "longer" | "shorter" | "earlier" | "later";

/** The selection after a move; unchanged if there is no word to move to. */
export function moveSelection(
  words: WordSegments,
  selected: Span | undefined,
  move: SelectionMove,
): Span | undefined {
  if (!selected) return nextWord(words, 0);
  const { start, end } = selected;
  switch (move) {
    case "next":
      return nextWord(words, end) ?? selected;
    case "previous":
      return previousWord(words, start) ?? selected;
    case "longer":
      return { start, end: nextWord(words, end)?.end ?? end };
    case "shorter":
      return {
        start,
        end: inner(previousWord(words, lastWord(words, selected).start)?.end) ?? end,
      };
    case "earlier":
      return { start: previousWord(words, start)?.start ?? start, end };
    case "later":
      return { start: inner(nextWord(words, firstWord(words, selected).end)?.start) ?? start, end };
  }
  /** Only an offset strictly inside the selection. */
  function inner(offset: number | undefined): number | undefined {
    return offset !== undefined && start < offset && offset < end ? offset : undefined;
  }
}

const firstWord = (words: WordSegments, { start, end }: Span): Span =>
  nextWord(words, start) ?? { start, end };

const lastWord = (words: WordSegments, { start, end }: Span): Span =>
  previousWord(words, end) ?? { start, end };

/** Extends a span to whole words, after trimming white space at its ends. */
export function snapToWords({ text, segments }: WordSegments, span: Span): Span {
  const { start, end } = trimSpan(text, span);
  const [first, last] = [segments.containing(start), segments.containing(end - 1)];
  return {
    start: first?.isWordLike ? first.index : start,
    end: last?.isWordLike ? last.index + last.segment.length : end,
  };
}

/** How far to search for the sentence on both sides. */
const sentenceSearchChars = 5_000;

/** The sentence around a span, or all sentences that it overlaps. */
export function sentenceAround(text: string, { start, end }: Span): Span {
  const from = Math.max(0, start - sentenceSearchChars);
  const near = text.slice(from, end + sentenceSearchChars);
  const sentence = sentenceFinder(near)({ start: start - from, end: end - from });
  return { start: from + sentence.start, end: from + sentence.end };
}

/** The first word that starts at or after an offset. */
function nextWord({ text, segments }: WordSegments, offset: number): Span | undefined {
  for (let position = offset; position < text.length; ) {
    const data = segments.containing(position);
    if (!data) return undefined;
    const { index, segment, isWordLike } = data;
    const end = index + segment.length;
    if (isWordLike && index >= offset) return { start: index, end };
    position = end;
  }
  return undefined;
}

/** The last word that ends at or before an offset. */
function previousWord({ segments }: WordSegments, offset: number): Span | undefined {
  for (let position = offset - 1; position >= 0; ) {
    const data = segments.containing(position);
    if (!data) return undefined;
    const { index, segment, isWordLike } = data;
    const end = index + segment.length;
    if (isWordLike && end <= offset) return { start: index, end };
    position = index - 1;
  }
  return undefined;
}
