import { distance } from "fastest-levenshtein";
import { elementAt } from "../../text/arrays/element-at.ts";
import { isSpacelessScript } from "../../text/search/tokens.ts";

/** An indexed word. */
export interface IndexedWord {
  word: string;
  token: string;
}

export interface Spelling extends IndexedWord {
  /** 1 for the typed word, less for a similar one. */
  similarity: number;
}

/** Finds the indexed words that are similar to a typed one. */
export interface SpellingSource {
  /** Words with this prefix, the shortest first. Some may be in no document any more. */
  completions(prefix: string): Spelling[];
  /** Longer names that contain this one, the shortest first: `getUserProfile` for `userprofile` */
  namesWith(name: string): Spelling[];
  /**
   * The words that a word is a misspelling of although it has their stem: `persistent` for
   * `persistant`. None if the word itself is indexed, or may be another form, as `studied` of `studies`.
   */
  sameStem(word: string, token: string): string[];
  /** Words of letters one typo away that begin and end alike. Another ending is another form. */
  wordsOneTypoAway(word: string): Spelling[];
  /** Words at edit distance 0, 1, 2 …, a list for each distance. */
  wordsWithTypos(word: string): Spelling[][];
}

/** Longer words are seldom typed in full. Names of programs are long, and are found by their parts. */
const maxWordLength = 64;
/** Computing the edit distances of longer words would be slow. */
const maxCorrectedLength = 32;
/** Without a separator, the letters of a shorter name occur within other words: `onCall`, `functionCall`. */
const minLetters = 8;

export const maxCompletions = 2_000;

/** Whether a word is no name, number or version. */
export const onlyLetters = /^\p{L}+$/u;

export const isTypeable = (word: string): boolean =>
  word.length >= 3 &&
  word.length <= maxWordLength &&
  /\p{L}/u.test(word) &&
  !isSpacelessScript(word);

export const asCompletion = (row: IndexedWord, prefix: string): Spelling => ({
  ...row,
  similarity: row.word === prefix ? 1 : 0.8,
});

/** Whether longer names are looked up for a name; with a separator, it is a whole part of them. */
export const isSearchedWithin = (name: string): boolean =>
  name.includes("_") || name.length >= minLetters;

export const asLongerName = (row: IndexedWord): Spelling => ({ ...row, similarity: 0.8 });

/** Of the words with the stem of a word that is not indexed, those that it is a misspelling of. */
export const misspelledOf = (word: string, rows: readonly IndexedWord[]): string[] =>
  rows.flatMap((row) =>
    row.word.at(-1) === word.at(-1) && typosBetween(word, row.word) === 1 ? row.word : [],
  );

export const oneTypoAway = (word: string, rows: readonly IndexedWord[]): Spelling[] =>
  rows.flatMap((row) =>
    onlyLetters.test(row.word) && typosBetween(word, row.word) === 1
      ? { ...row, similarity: 1 }
      : [],
  );

/** The number of typos that a word of this length can have. */
export const maxTyposOf = (word: string): number =>
  word.length > maxCorrectedLength ? 0 : word.length >= 8 ? 2 : word.length >= 4 ? 1 : 0;

/** Groups words by their number of typos. */
export function withTypos<Row extends { word: string }>(
  word: string,
  rows: Iterable<Row>,
): (Row & { similarity: number })[][] {
  const maxTypos = maxTyposOf(word);
  if (maxTypos === 0) return [];
  const digits = digitsOf(word);
  const byTypos: (Row & { similarity: number })[][] = Array.from(
    { length: maxTypos + 1 },
    () => [],
  );
  for (const row of rows) {
    if (Math.abs(row.word.length - word.length) > maxTypos) continue;
    const typos = typosBetween(word, row.word);
    if (typos > maxTypos || digitsOf(row.word) !== digits) continue;
    elementAt(byTypos, typos).push({ ...row, similarity: typos <= 1 ? 0.7 : 0.5 });
  }
  return byTypos;
}

/** Words with different digits, such as `error404` and `error405`, are never typos of each other. */
const digitsOf = (word: string): string => word.replace(/\P{N}+/gu, "");

/** The Levenshtein distance, except that one transposition of neighbours also counts as one. */
function typosBetween(a: string, b: string): number {
  const typos = distance(a, b);
  if (typos !== 2 || a.length !== b.length) return typos;
  const first = [...a].findIndex((char, index) => char !== b[index]);
  return a[first] === b[first + 1] && a[first + 1] === b[first] ? 1 : typos;
}
