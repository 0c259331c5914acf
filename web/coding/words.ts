import type { Stretch } from "./runs.ts";

/** The words of a text, without what stands between them. */
export const wordsOf = (text: string): Stretch[] =>
  [...new Intl.Segmenter(undefined, { granularity: "word" }).segment(text)]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ index, segment }) => ({ start: index, end: index + segment.length }));

/** How a key moves what is selected: to another word, or its end by a word. */
export type Move = "next" | "previous" | "longer" | "shorter";

/** What is selected after a move; as it was where there is nowhere to go. */
export function moved(
  words: readonly Stretch[],
  selected: Stretch | undefined,
  move: Move,
): Stretch | undefined {
  if (!selected) return words[0];
  const { start, end } = selected;
  switch (move) {
    case "next":
      return words.find((word) => word.start >= end) ?? selected;
    case "previous":
      return words.findLast((word) => word.end <= start) ?? selected;
    case "longer":
      return { start, end: words.find((word) => word.end > end)?.end ?? end };
    case "shorter":
      return {
        start,
        end: words.findLast((word) => word.end < end && word.end > start)?.end ?? end,
      };
  }
}
