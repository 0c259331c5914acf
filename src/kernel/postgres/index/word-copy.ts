import { elementAt } from "../../../text/arrays/element-at.ts";
import { tokenizeWords } from "../../../text/search/tokens.ts";
import {
  asLongerName,
  type IndexedWord,
  isSearchedWithin,
  maxCompletions,
  maxTyposOf,
  type Spelling,
  withTypos,
} from "../../index/spelling.ts";
import { longerNames, type WordText } from "../../index/word-text.ts";

/**
 * A copy of all words in memory, for look-ups that no index of the database can answer. It is loaded
 * when first needed; after that, only new words are read.
 */
export interface WordCopy {
  text: WordText;
  /** The number of the last word. */
  last: number;
  /** See `IndexState`. */
  wordsStamp: number;
  table: number;
}

export const emptyWordCopy: WordCopy = {
  text: "",
  last: 0,
  wordsStamp: Number.NaN,
  table: 0,
};

/** As `namesWith` of a vocabulary. */
export function namesIn({ text }: WordCopy, name: string): Spelling[] {
  if (!isSearchedWithin(name)) return [];
  return longerNames(text, name)
    .sort((a, b) => lengthOf(a) - lengthOf(b) || compareBytes(a, b))
    .slice(0, maxCompletions)
    .map((word) => asLongerName(toIndexed(word)));
}

/** As `wordsWithTypos` of a vocabulary. */
export function wordsWithTyposIn({ text }: WordCopy, word: string): Spelling[][] {
  const byTypos = withTypos(word, wordsOfLength(text, word.length, maxTyposOf(word)));
  return byTypos.map((rows) =>
    rows
      .sort((a, b) => compareBytes(a.word, b.word))
      .map(({ word, similarity }) => ({ ...toIndexed(word), similarity })),
  );
}

/** Most words have another length, and are skipped without a copy of them. */
function* wordsOfLength(
  text: WordText,
  length: number,
  tolerance: number,
): Generator<{ word: string }> {
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found;
    if (Math.abs(end - start - length) <= tolerance) yield { word: text.slice(start, end) };
    start = end + 1;
  }
}

const toIndexed = (word: string): IndexedWord => ({
  word,
  token: elementAt(tokenizeWords([word]), 0),
});

/** In characters, as databases count. */
const lengthOf = (word: string): number => [...word].length;

/** In the order of the words in UTF-8, as databases compare. */
const compareBytes = (a: string, b: string): number =>
  Buffer.compare(Buffer.from(a), Buffer.from(b));
