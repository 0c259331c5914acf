import { sentenceFinder, trimmed } from "../../src/text/sentences.ts";
import type { Stretch } from "./runs.ts";

/** A text in which words are found from any place, without a look at all of it. */
export interface Words {
  text: string;
  segments: Intl.Segments;
}

export function wordsOf(text: string): Words {
  if (last?.text !== text) {
    const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });
    last = { text, segments: segmenter.segment(text) };
  }
  return last;
}

/** Key after key asks about the same text, and a long one takes a moment. */
let last: Words | undefined;

/** How a key moves what is selected: to another word, or one of its borders by a word. */
export type Move = "next" | "previous" | "longer" | "shorter" | "earlier" | "later";

/** What is selected after a move; as it was where there is nowhere to go. */
export function moved(
  words: Words,
  selected: Stretch | undefined,
  move: Move,
): Stretch | undefined {
  if (!selected) return wordFrom(words, 0);
  const { start, end } = selected;
  switch (move) {
    case "next":
      return wordFrom(words, end) ?? selected;
    case "previous":
      return wordBefore(words, start) ?? selected;
    case "longer":
      return { start, end: wordFrom(words, end)?.end ?? end };
    case "shorter":
      return { start, end: inner(wordBefore(words, lastWord(words, selected).start)?.end) ?? end };
    case "earlier":
      return { start: wordBefore(words, start)?.start ?? start, end };
    case "later":
      return { start: inner(wordFrom(words, firstWord(words, selected).end)?.start) ?? start, end };
  }
  /** A border never leaves what is selected. */
  function inner(place: number | undefined): number | undefined {
    return place !== undefined && start < place && place < end ? place : undefined;
  }
}

const firstWord = (words: Words, { start, end }: Stretch): Stretch =>
  wordFrom(words, start) ?? { start, end };

const lastWord = (words: Words, { start, end }: Stretch): Stretch =>
  wordBefore(words, end) ?? { start, end };

/** Whole words instead of parts of them, and no white space at the ends. */
export function snapped({ text, segments }: Words, stretch: Stretch): Stretch {
  const { start, end } = trimmed(text, stretch);
  const [first, last] = [segments.containing(start), segments.containing(end - 1)];
  return {
    start: first?.isWordLike ? first.index : start,
    end: last?.isWordLike ? last.index + last.segment.length : end,
  };
}

/** As far as a sentence is looked for on both sides. */
const reach = 5_000;

/** The sentence around a stretch, or all that it reaches into. */
export function sentenceAround(text: string, { start, end }: Stretch): Stretch {
  const from = Math.max(0, start - reach);
  const near = text.slice(from, end + reach);
  const found = sentenceFinder(near)({ start: start - from, end: end - from });
  return { start: from + found.start, end: from + found.end };
}

/** The first word that begins at a place or behind it. */
function wordFrom({ text, segments }: Words, place: number): Stretch | undefined {
  for (let at = place; at < text.length; ) {
    const found = segments.containing(at);
    if (!found) return undefined;
    const { index, segment, isWordLike } = found;
    const end = index + segment.length;
    if (isWordLike && index >= place) return { start: index, end };
    at = end;
  }
  return undefined;
}

/** The last word that ends at a place or before it. */
function wordBefore({ segments }: Words, place: number): Stretch | undefined {
  for (let at = place - 1; at >= 0; ) {
    const found = segments.containing(at);
    if (!found) return undefined;
    const { index, segment, isWordLike } = found;
    const end = index + segment.length;
    if (isWordLike && end <= place) return { start: index, end };
    at = index - 1;
  }
  return undefined;
}
