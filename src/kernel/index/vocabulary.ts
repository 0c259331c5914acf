import { distance } from "fastest-levenshtein";
import { isSpaceless, tokensOfWords } from "../../text/tokens.ts";
import { combined } from "../checksum.ts";
import type { Database } from "../database.ts";
import { indexDamaged, sumOfWord } from "./soundness.ts";
import { openStamp, stampTable } from "./stamp.ts";

/** Every word that the documents of one index were written with, and the token it became. */
export interface Vocabulary {
  /** Keeps those of the words that are new to it. They are remembered, so none may be cut from a text. */
  learn(words: Iterable<string>): void;
  /** Forgets every word whose token is none of these. */
  keepOnly(tokens: readonly string[]): void;
  /** Forgets all words. */
  clear(): void;
  /** Words that begin so, the shortest first. Some may stand in no document any more. */
  beginningWith(start: string): Spelling[];
  /** Words that are one slip of the finger away, then those that are two, and so on. */
  near(word: string): Spelling[][];
}

export interface Spelling {
  word: string;
  token: string;
  /** 1 for the word as it was typed, less for one that only resembles it. */
  closeness: number;
}

export const vocabularyTables = (shelf: string): string => `
  CREATE TABLE ${shelf}_vocabulary (word TEXT PRIMARY KEY, token TEXT NOT NULL) WITHOUT ROWID;
  -- How many words there are, and their checksums, combined.
  CREATE TABLE ${shelf}_words (words INTEGER NOT NULL, sum INTEGER NOT NULL);
  INSERT INTO ${shelf}_words VALUES (0, 0);
  ${stampTable(`${shelf}_vocabulary_stamp`)}`;

/** Longer than what people type, and short enough to be compared with every other. */
const longestWord = 32;
const mostBegun = 2_000;
const mostRemembered = 200_000;

export function openVocabulary(db: Database, shelf: string): Vocabulary {
  const stamp = openStamp(db, `${shelf}_vocabulary_stamp`);
  const remembered = { words: new Set<string>(), stamp: Number.NaN };
  let all: { rows: Row[]; stamp: number } | undefined;

  return {
    learn(words) {
      const now = stamp.read();
      if (remembered.stamp !== now || remembered.words.size > mostRemembered) {
        remembered.words.clear();
        remembered.stamp = now;
      }
      const fresh: string[] = [];
      for (const word of words) {
        if (remembered.words.has(word)) continue;
        remembered.words.add(word);
        if (isTypeable(word)) fresh.push(word);
      }
      if (fresh.length === 0) return;
      // One statement for all: calling SQLite for each would cost more than the rest of the index.
      const pairs: [word: string, token: string][] = [];
      let added = 0;
      for (const word of fresh) {
        const token = tokensOfWords([word])[0] ?? "";
        pairs.push([word, token]);
        added = combined(added, sumOfWord(word, token));
      }
      const { changes } = db.run(
        `INSERT OR IGNORE INTO ${shelf}_vocabulary (word, token)
         SELECT value ->> 0, value ->> 1 FROM json_each(?)`,
        JSON.stringify(pairs),
      );
      const { words: before, sum } = sealOfWords();
      if (changes === pairs.length) setSeal(before + changes, combined(sum, added));
      // Nobody knows which of them were there already.
      else if (changes > 0) sealAll();
      stamp.renew();
      remembered.stamp = stamp.read();
    },
    keepOnly(tokens) {
      db.run(
        `DELETE FROM ${shelf}_vocabulary WHERE token NOT IN (SELECT value FROM json_each(?))`,
        JSON.stringify(tokens),
      );
      sealAll();
      stamp.renew();
    },
    clear() {
      db.run(`DELETE FROM ${shelf}_vocabulary`);
      db.run(`DELETE FROM ${shelf}_words`);
      db.run(`INSERT INTO ${shelf}_words VALUES (0, 0)`);
      stamp.renew();
    },
    beginningWith(start) {
      const rows = db.all<Row>(
        `SELECT word, token FROM ${shelf}_vocabulary
          WHERE word >= ?1 AND word < ?1 || char(0x10ffff) ORDER BY length(word), word LIMIT ?2`,
        start,
        mostBegun,
      );
      return rows.map((row) => ({ ...row, closeness: row.word === start ? 1 : 0.8 }));
    },
    near(word) {
      const allowed = word.length >= 8 ? 2 : word.length >= 4 ? 1 : 0;
      if (allowed === 0 || word.length > longestWord) return [];
      const digits = digitsOf(word);
      const near: Spelling[][] = Array.from({ length: allowed + 1 }, () => []);
      for (const row of allWords()) {
        if (Math.abs(row.word.length - word.length) > allowed) continue;
        const slips = slipsBetween(word, row.word);
        if (slips > allowed || digitsOf(row.word) !== digits) continue;
        near[slips]?.push({ ...row, closeness: slips <= 1 ? 0.7 : 0.5 });
      }
      return near;
    },
  };

  function sealOfWords(): { words: number; sum: number } {
    return db.get(`SELECT words, sum FROM ${shelf}_words`) ?? { words: 0, sum: 0 };
  }

  function sealAll(): void {
    const rows = db.all<Row>(`SELECT word, token FROM ${shelf}_vocabulary`);
    const sums = rows.map(({ word, token }) => sumOfWord(word, token));
    setSeal(rows.length, sums.reduce(combined, 0));
  }

  function setSeal(words: number, sum: number): void {
    db.run(`UPDATE ${shelf}_words SET words = ?, sum = ?`, words, sum);
  }

  /** Read when the first unknown word is asked for, and again when words were added since. */
  function allWords(): Row[] {
    const now = stamp.read();
    if (all?.stamp !== now) {
      const rows = db.all<Row>(`SELECT word, token FROM ${shelf}_vocabulary`);
      if (rows.length !== sealOfWords().words) throw indexDamaged();
      all = { rows, stamp: now };
    }
    return all.rows;
  }
}

interface Row {
  word: string;
  token: string;
}

const isTypeable = (word: string): boolean =>
  word.length >= 3 && word.length <= longestWord && /\p{L}/u.test(word) && !isSpaceless(word);

/** Of a name with a number, such as `error404`, no other is a slip: it names another thing. */
const digitsOf = (word: string): string => word.replace(/\P{N}+/gu, "");

/** Letters added, lost or mistaken; two neighbours that changed places are one slip. */
function slipsBetween(a: string, b: string): number {
  const slips = distance(a, b);
  if (slips !== 2 || a.length !== b.length) return slips;
  const first = [...a].findIndex((letter, place) => letter !== b[place]);
  return a[first] === b[first + 1] && a[first + 1] === b[first] ? 1 : slips;
}
