import { emptyState, type IndexState } from "./index-state.ts";
import { createSegmentLists, type SegmentLists } from "./segment-lists.ts";
import { emptyWordCopy, type WordCopy } from "./word-copy.ts";

/** What former searches have read. */
export interface SearchMemory {
  /** The last state, from which the next one is read. */
  state: IndexState;
  readonly lists: SegmentLists;
  words: WordCopy;
}

export const createSearchMemory = (): SearchMemory => ({
  state: emptyState,
  lists: createSegmentLists(),
  words: emptyWordCopy,
});

/** The words of a state, if they were all read. */
export const currentWords = (
  words: WordCopy,
  { table, wordsStamp, lastWord }: IndexState,
): WordCopy | undefined =>
  words.table === table && words.wordsStamp === wordsStamp && words.last >= lastWord
    ? words
    : undefined;

/**
 * Adds words that were read after the word `from`. Undefined if they do not follow: words were deleted
 * since.
 */
export function extendWords(
  before: WordCopy,
  from: number,
  added: { text: string; last: number } | undefined,
  { table, wordsStamp }: IndexState,
): WordCopy | undefined {
  const isSame = before.table === table && before.wordsStamp === wordsStamp;
  if (!isSame && from > 0) return undefined;
  const known = isSame && from > 0 ? before.text : "";
  const text = [known, added?.text ?? ""].filter((part) => part !== "").join("\n");
  return { table, wordsStamp, text, last: added?.last ?? from };
}
