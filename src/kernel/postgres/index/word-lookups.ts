import {
  asCompletion,
  type IndexedWord,
  isSearchedWithin,
  isTypeable,
  maxTyposOf,
  misspelledOf,
  oneTypoAway,
  type SpellingSource,
} from "../../index/spelling.ts";
import { type ReadRequests, type WordRequest, wordRequestKey } from "./read-requests.ts";
import { namesIn, type WordCopy, wordsWithTyposIn } from "./word-copy.ts";

export type WordLookups = SpellingSource;

/** Looks words up in what was read. What is missing is requested, and nothing is found. */
export function createWordLookups(
  answers: ReadonlyMap<string, readonly IndexedWord[]>,
  copy: () => WordCopy | undefined,
  requests: ReadRequests,
): WordLookups {
  function lookUp(request: WordRequest): readonly IndexedWord[] {
    const key = wordRequestKey(request);
    const rows = answers.get(key);
    if (!rows) requests.words.set(key, request);
    return rows ?? [];
  }

  function allWords(): WordCopy | undefined {
    const words = copy();
    if (!words) requests.allWords = true;
    return words;
  }

  return {
    completions: (prefix) =>
      lookUp({ kind: "completions", prefix, word: prefix, token: "" }).map((row) =>
        asCompletion(row, prefix),
      ),
    namesWith(name) {
      const words = isSearchedWithin(name) ? allWords() : undefined;
      return words ? namesIn(words, name) : [];
    },
    sameStem(word, token) {
      if (!isTypeable(word)) return [];
      return misspelledOf(word, lookUp({ kind: "stem", prefix: word.slice(0, 3), word, token }));
    },
    wordsOneTypoAway(word) {
      const [prefix = ""] = word;
      return oneTypoAway(word, lookUp({ kind: "typo", prefix, word, token: "" }));
    },
    wordsWithTypos(word) {
      const words = maxTyposOf(word) > 0 ? allWords() : undefined;
      return words ? wordsWithTyposIn(words, word) : [];
    },
  };
}
