import { distance } from "fastest-levenshtein";
import { elementAt } from "../../text/arrays/element-at.ts";
import type { LexiconWord } from "../../text/search/lexicon.ts";
import { isSpacelessScript } from "../../text/search/tokens.ts";
import { combineChecksums } from "../integrity/checksum.ts";
import type { Database } from "../storage/database.ts";
import { insertRows } from "../storage/insert-rows.ts";
import { changeStampTable, openChangeStamp } from "./change-stamp.ts";
import { indexDamaged, wordChecksum } from "./integrity.ts";
import { type WordText, wordsContaining } from "./word-text.ts";

/** The words of all documents of one index, each with its token. */
export interface Vocabulary {
  /** Adds new words. They are cached, so none may be a slice, which would keep its whole text alive. */
  addWords(words: Iterable<LexiconWord>): void;
  /** Deletes all words except those with one of these tokens. */
  retainTokens(tokens: readonly string[]): void;
  /** Deletes all words. */
  clear(): void;
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

export interface Spelling {
  word: string;
  token: string;
  /** 1 for the typed word, less for a similar one. */
  similarity: number;
}

export const vocabularyTables = (shelf: string): string => `
  CREATE TABLE ${shelf}_vocabulary (word TEXT PRIMARY KEY, token TEXT NOT NULL) WITHOUT ROWID;
  -- The number of words and their combined checksum.
  CREATE TABLE ${shelf}_words (words INTEGER NOT NULL, sum INTEGER NOT NULL);
  INSERT INTO ${shelf}_words VALUES (0, 0);
  ${changeStampTable(`${shelf}_vocabulary_stamp`)}`;

/** Longer words are seldom typed in full. Names of programs are long, and are found by their parts. */
const maxWordLength = 64;
/** Computing the edit distances of longer words would be slow. */
const maxCorrectedLength = 32;
/** Without a separator, the letters of a shorter name occur within other words: `onCall`, `functionCall`. */
const minLetters = 8;
const maxCompletions = 2_000;
const maxCachedWords = 200_000;

export function openVocabulary(db: Database, shelf: string): Vocabulary {
  const stamp = openChangeStamp(db, `${shelf}_vocabulary_stamp`);
  const cache = { words: new Set<string>(), stamp: Number.NaN };
  let all: { rows: VocabularyRow[]; stamp: number } | undefined;
  let joined: { text: WordText; stamp: number } | undefined;

  return {
    addWords(words) {
      const now = stamp.read();
      if (cache.stamp !== now || cache.words.size > maxCachedWords) {
        cache.words.clear();
        cache.stamp = now;
      }
      const newWords: LexiconWord[] = [];
      for (const entry of words) {
        const [word] = entry;
        if (cache.words.has(word)) continue;
        cache.words.add(word);
        if (isTypeable(word)) newWords.push(entry);
      }
      if (newWords.length === 0) return;
      const added = newWords
        .map(([word, token]) => wordChecksum(word, token))
        .reduce(combineChecksums, 0);
      const changes = insertRows(
        db,
        `INSERT OR IGNORE INTO ${shelf}_vocabulary (word, token)`,
        newWords,
      );
      const { words: before, sum } = readChecksum();
      if (changes === newWords.length)
        writeChecksum(before + changes, combineChecksums(sum, added));
      // Some existed already, and SQLite does not report which.
      else if (changes > 0) recomputeChecksum();
      stamp.renew();
      cache.stamp = stamp.read();
    },
    retainTokens(tokens) {
      db.run(
        `DELETE FROM ${shelf}_vocabulary WHERE token NOT IN (SELECT value FROM json_each(?))`,
        JSON.stringify(tokens),
      );
      recomputeChecksum();
      stamp.renew();
    },
    clear() {
      db.run(`DELETE FROM ${shelf}_vocabulary`);
      db.run(`DELETE FROM ${shelf}_words`);
      db.run(`INSERT INTO ${shelf}_words VALUES (0, 0)`);
      stamp.renew();
    },
    completions(prefix) {
      const rows = db.all<VocabularyRow>(
        `SELECT word, token FROM ${shelf}_vocabulary
          WHERE word >= ?1 AND word < ?1 || char(0x10ffff) ORDER BY length(word), word LIMIT ?2`,
        prefix,
        maxCompletions,
      );
      return rows.map((row) => ({ ...row, similarity: row.word === prefix ? 1 : 0.8 }));
    },
    namesWith(name) {
      const hasSeparator = name.includes("_");
      if (!hasSeparator && name.length < minLetters) return [];
      const names = wordsContaining(wordText(), name, hasSeparator).filter((word) => word !== name);
      if (names.length === 0) return [];
      const rows = db.all<VocabularyRow>(
        `SELECT word, token FROM ${shelf}_vocabulary
          WHERE word IN (SELECT value FROM json_each(?1)) ORDER BY length(word), word LIMIT ?2`,
        JSON.stringify(names),
        maxCompletions,
      );
      return rows.map((row) => ({ ...row, similarity: 0.8 }));
    },
    sameStem(word, token) {
      if (!isTypeable(word) || isKnown(word)) return [];
      const rows = db.all<VocabularyRow>(
        `SELECT word, token FROM ${shelf}_vocabulary
          WHERE word >= ?1 AND word < ?1 || char(0x10ffff) AND token = ?2`,
        word.slice(0, 3),
        token,
      );
      const isMistyped = (other: string) =>
        other.at(-1) === word.at(-1) && typosBetween(word, other) === 1;
      return rows.flatMap((row) => (isMistyped(row.word) ? row.word : []));
    },
    wordsOneTypoAway(word) {
      const [first = ""] = word;
      // The range and the conditions leave few words of a large vocabulary, which is not loaded.
      const rows = db.all<VocabularyRow>(
        `SELECT word, token FROM ${shelf}_vocabulary
          WHERE word >= ?1 AND word < ?1 || char(0x10ffff)
            AND length(word) BETWEEN length(?2) - 1 AND length(?2) + 1
            AND substr(word, -1) = substr(?2, -1)`,
        first,
        word,
      );
      return rows.flatMap((row) =>
        onlyLetters.test(row.word) && typosBetween(word, row.word) === 1
          ? { ...row, similarity: 1 }
          : [],
      );
    },
    wordsWithTypos(word) {
      const maxTypos = word.length >= 8 ? 2 : word.length >= 4 ? 1 : 0;
      if (maxTypos === 0 || word.length > maxCorrectedLength) return [];
      const digits = digitsOf(word);
      const byTypos: Spelling[][] = Array.from({ length: maxTypos + 1 }, () => []);
      for (const row of allWords()) {
        if (Math.abs(row.word.length - word.length) > maxTypos) continue;
        const typos = typosBetween(word, row.word);
        if (typos > maxTypos || digitsOf(row.word) !== digits) continue;
        elementAt(byTypos, typos).push({ ...row, similarity: typos <= 1 ? 0.7 : 0.5 });
      }
      return byTypos;
    },
  };

  function isKnown(word: string): boolean {
    return db.get(`SELECT 1 AS found FROM ${shelf}_vocabulary WHERE word = ?`, word) !== undefined;
  }

  function readChecksum(): { words: number; sum: number } {
    return db.get(`SELECT words, sum FROM ${shelf}_words`) ?? { words: 0, sum: 0 };
  }

  function recomputeChecksum(): void {
    const rows = db.all<VocabularyRow>(`SELECT word, token FROM ${shelf}_vocabulary`);
    const sums = rows.map(({ word, token }) => wordChecksum(word, token));
    writeChecksum(rows.length, sums.reduce(combineChecksums, 0));
  }

  function writeChecksum(words: number, sum: number): void {
    db.run(`UPDATE ${shelf}_words SET words = ?, sum = ?`, words, sum);
  }

  /** The same words as one text. */
  function wordText(): WordText {
    const now = stamp.read();
    if (joined?.stamp !== now) {
      const row = db.get<{ text: string | null }>(
        `SELECT group_concat(word, char(10)) AS text FROM ${shelf}_vocabulary`,
      );
      joined = { text: row?.text ?? "", stamp: now };
    }
    return joined.text;
  }

  /** Reads and caches all words until the vocabulary changes. */
  function allWords(): VocabularyRow[] {
    const now = stamp.read();
    if (all?.stamp !== now) {
      const rows = db.all<VocabularyRow>(`SELECT word, token FROM ${shelf}_vocabulary`);
      if (rows.length !== readChecksum().words) throw indexDamaged();
      all = { rows, stamp: now };
    }
    return all.rows;
  }
}

interface VocabularyRow {
  word: string;
  token: string;
}

/** Whether a word is no name, number or version. */
export const onlyLetters = /^\p{L}+$/u;

const isTypeable = (word: string): boolean =>
  word.length >= 3 &&
  word.length <= maxWordLength &&
  /\p{L}/u.test(word) &&
  !isSpacelessScript(word);

/** Words with different digits, such as `error404` and `error405`, are never typos of each other. */
const digitsOf = (word: string): string => word.replace(/\P{N}+/gu, "");

/** The Levenshtein distance, except that one transposition of neighbours also counts as one. */
function typosBetween(a: string, b: string): number {
  const typos = distance(a, b);
  if (typos !== 2 || a.length !== b.length) return typos;
  const first = [...a].findIndex((char, index) => char !== b[index]);
  return a[first] === b[first + 1] && a[first + 1] === b[first] ? 1 : typos;
}
