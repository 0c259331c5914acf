import type { LexiconWord } from "../../text/search/lexicon.ts";
import { combineChecksums } from "../integrity/checksum.ts";
import type { Database } from "../storage/database.ts";
import { insertRows } from "../storage/insert-rows.ts";
import { changeStampTable, openChangeStamp } from "./change-stamp.ts";
import { indexDamaged, wordChecksum } from "./integrity.ts";
import {
  asCompletion,
  asLongerName,
  type IndexedWord,
  isSearchedWithin,
  isTypeable,
  maxCompletions,
  maxTyposOf,
  misspelledOf,
  oneTypoAway,
  type SpellingSource,
  withTypos,
} from "./spelling.ts";
import { longerNames, type WordText } from "./word-text.ts";

/** The words of all documents of one index, each with its token. */
export interface Vocabulary extends SpellingSource {
  /** Adds new words. They are cached, so none may be a slice, which would keep its whole text alive. */
  addWords(words: Iterable<LexiconWord>): void;
  /** Deletes all words except those with one of these tokens. */
  retainTokens(tokens: readonly string[]): void;
  /** Deletes all words. */
  clear(): void;
}

export const vocabularyTables = (shelf: string): string => `
  CREATE TABLE ${shelf}_vocabulary (word TEXT PRIMARY KEY, token TEXT NOT NULL) WITHOUT ROWID;
  -- The number of words and their combined checksum.
  CREATE TABLE ${shelf}_words (words INTEGER NOT NULL, sum INTEGER NOT NULL);
  INSERT INTO ${shelf}_words VALUES (0, 0);
  ${changeStampTable(`${shelf}_vocabulary_stamp`)}`;

const maxCachedWords = 200_000;

export function openVocabulary(db: Database, shelf: string): Vocabulary {
  const stamp = openChangeStamp(db, `${shelf}_vocabulary_stamp`);
  const cache = { words: new Set<string>(), stamp: Number.NaN };
  let all: { rows: IndexedWord[]; stamp: number } | undefined;
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
      const rows = db.all<IndexedWord>(
        `SELECT word, token FROM ${shelf}_vocabulary
          WHERE word >= ?1 AND word < ?1 || char(0x10ffff) ORDER BY length(word), word LIMIT ?2`,
        prefix,
        maxCompletions,
      );
      return rows.map((row) => asCompletion(row, prefix));
    },
    namesWith(name) {
      if (!isSearchedWithin(name)) return [];
      const names = longerNames(wordText(), name);
      if (names.length === 0) return [];
      const rows = db.all<IndexedWord>(
        `SELECT word, token FROM ${shelf}_vocabulary
          WHERE word IN (SELECT value FROM json_each(?1)) ORDER BY length(word), word LIMIT ?2`,
        JSON.stringify(names),
        maxCompletions,
      );
      return rows.map(asLongerName);
    },
    sameStem(word, token) {
      if (!isTypeable(word) || isKnown(word)) return [];
      const rows = db.all<IndexedWord>(
        `SELECT word, token FROM ${shelf}_vocabulary
          WHERE word >= ?1 AND word < ?1 || char(0x10ffff) AND token = ?2`,
        word.slice(0, 3),
        token,
      );
      return misspelledOf(word, rows);
    },
    wordsOneTypoAway(word) {
      const [first = ""] = word;
      // The range and the conditions leave few words of a large vocabulary, which is not loaded.
      const rows = db.all<IndexedWord>(
        `SELECT word, token FROM ${shelf}_vocabulary
          WHERE word >= ?1 AND word < ?1 || char(0x10ffff)
            AND length(word) BETWEEN length(?2) - 1 AND length(?2) + 1
            AND substr(word, -1) = substr(?2, -1)`,
        first,
        word,
      );
      return oneTypoAway(word, rows);
    },
    wordsWithTypos: (word) => (maxTyposOf(word) === 0 ? [] : withTypos(word, allWords())),
  };

  function isKnown(word: string): boolean {
    return db.get(`SELECT 1 AS found FROM ${shelf}_vocabulary WHERE word = ?`, word) !== undefined;
  }

  function readChecksum(): { words: number; sum: number } {
    return db.get(`SELECT words, sum FROM ${shelf}_words`) ?? { words: 0, sum: 0 };
  }

  function recomputeChecksum(): void {
    const rows = db.all<IndexedWord>(`SELECT word, token FROM ${shelf}_vocabulary`);
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
  function allWords(): IndexedWord[] {
    const now = stamp.read();
    if (all?.stamp !== now) {
      const rows = db.all<IndexedWord>(`SELECT word, token FROM ${shelf}_vocabulary`);
      if (rows.length !== readChecksum().words) throw indexDamaged();
      all = { rows, stamp: now };
    }
    return all.rows;
  }
}
