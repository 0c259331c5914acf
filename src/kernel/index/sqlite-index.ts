import { openLexicon } from "../../text/search/lexicon.ts";
import type { Query } from "../../text/search/query.ts";
import type { ColumnValue, Database } from "../storage/database.ts";
import { insertRows } from "../storage/insert-rows.ts";
import { openChangeStamp } from "./change-stamp.ts";
import {
  addToDocumentEntry,
  assertTotalsIntact,
  createDocumentEntry,
  type DocumentEntry,
  documentEntryChecksum,
  indexDamaged,
  type PassageRow,
  passageChecksum,
  passageColumns,
  updateTotalsChecksum,
} from "./integrity.ts";
import { type FindPassageOwners, tableOwners } from "./passage-owners.ts";
import type { PassageRange } from "./ranking/phrase-filter.ts";
import { displayScore, rankQuery } from "./ranking/rank-query.ts";
import type { IndexTotals } from "./ranking/ranking.ts";
import type { RankingSource } from "./ranking/ranking-source.ts";
import type { FindTitles } from "./ranking/titles.ts";
import type {
  IndexedDocument,
  Match,
  MatchOptions,
  Passage,
  SyncSearchIndex,
} from "./search-index.ts";
import { documentTokens } from "./segments/document-tokens.ts";
import { openSegments, segmentTables } from "./segments/segments.ts";
import { openVocabulary, vocabularyTables } from "./vocabulary.ts";

/**
 * The tables of one shelf's index. A passage's number is never reused, because segments may still
 * contain postings of a removed passage.
 */
export const searchIndexTables = (shelf: string): string => `
  CREATE TABLE ${shelf}_passages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    document INTEGER NOT NULL,
    line INTEGER NOT NULL,
    end_line INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    headings TEXT NOT NULL,
    text TEXT NOT NULL,
    sum INTEGER NOT NULL
  );
  CREATE INDEX ${shelf}_passages_by_document ON ${shelf}_passages (document);
  -- One row for each document: its passages, which have consecutive numbers, and their combined
  -- checksum. It identifies the postings of a document even if its passages are damaged.
  CREATE TABLE ${shelf}_entries (
    document INTEGER PRIMARY KEY,
    first_passage INTEGER NOT NULL,
    passages INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    sum INTEGER NOT NULL,
    -- Checksum of this row.
    seal INTEGER NOT NULL
  );
  -- The checksum covers the totals, all segments and the removed passages. NULL if never updated.
  CREATE TABLE ${shelf}_totals (passages INTEGER NOT NULL, tokens INTEGER NOT NULL, sum INTEGER);
  INSERT INTO ${shelf}_totals VALUES (0, 0, NULL);
  ${segmentTables(shelf)}
  ${vocabularyTables(shelf)}
  -- By these numbers, a process reads only what is new. Encoded lists are hardly compressible.
  --postgres ALTER TABLE ${shelf}_removed ADD COLUMN number bigint GENERATED ALWAYS AS IDENTITY;
  --postgres ALTER TABLE ${shelf}_vocabulary ADD COLUMN number bigint GENERATED ALWAYS AS IDENTITY;
  --postgres CREATE INDEX ${shelf}_removed_by_number ON ${shelf}_removed (number);
  --postgres CREATE INDEX ${shelf}_vocabulary_by_number ON ${shelf}_vocabulary (number);
  --postgres ALTER TABLE ${shelf}_postings ALTER COLUMN block SET STORAGE EXTERNAL;
  --postgres ALTER TABLE ${shelf}_positions ALTER COLUMN block SET STORAGE EXTERNAL;`;

export function openSqliteIndex(
  db: Database,
  shelf: string,
  owners: FindPassageOwners = tableOwners(db, shelf),
  titlesOf: FindTitles = () => new Map(),
): SyncSearchIndex {
  const vocabulary = openVocabulary(db, shelf);
  const lexicon = openLexicon();
  const segments = openSegments(db, shelf, lexicon);
  const stamp = openChangeStamp(db, `${shelf}_postings_stamp`);
  let verifiedStamp: number | undefined;
  /** Documents put by the current change so far. */
  const entries = new Map<number, DocumentEntry>();
  /** Their passages, by column, which are written together. */
  let pendingPassages: ColumnValue[][] = [];
  let nextPassage = 0;
  /** By how much the current change adds to the totals. */
  let added: IndexTotals = { passages: 0, tokens: 0 };

  return {
    change: (work) =>
      db.transaction(() => {
        entries.clear();
        pendingPassages = [];
        nextPassage = lastPassage() + 1;
        added = { passages: 0, tokens: 0 };
        const words = segments.buildSegment(() => {
          work({
            put(document, entry) {
              remove(document);
              insert(document, entry);
            },
            remove,
          });
          writePassages();
          writeEntries();
          writeTotals();
        });
        vocabulary.addWords(words);
        updateTotalsChecksum(db, shelf);
      }),
    compact: () =>
      db.transaction(() => {
        vocabulary.retainTokens(segments.mergeAll());
        updateTotalsChecksum(db, shelf);
      }),
    removeOrphans() {
      db.run(
        `DELETE FROM ${shelf}_passages WHERE document NOT IN (SELECT document FROM ${shelf}_entries)`,
      );
    },
    clear: () =>
      db.transaction(() => {
        segments.clear();
        vocabulary.clear();
        for (const table of ["passages", "entries"]) db.run(`DELETE FROM ${shelf}_${table}`);
        db.run(`DELETE FROM ${shelf}_totals`);
        db.run(`INSERT INTO ${shelf}_totals VALUES (0, 0, NULL)`);
      }),
    match: (query, options) => db.snapshot(() => match(query, options)),
    rank: (query) =>
      db.snapshot(() => {
        const { passages } = rankQuery(query, { limit: Number.POSITIVE_INFINITY }, source());
        return passages.map(({ document }) => document);
      }),
    count: () => totals().passages,
  };

  function insert(document: number, indexed: IndexedDocument): void {
    const entry = createDocumentEntry();
    for (const { passage, body, fields, length } of documentTokens(lexicon, indexed)) {
      const id = nextPassage++;
      const sum = addPassage(id, document, passage, body.length);
      segments.add(id, body, fields, length);
      addToDocumentEntry(entry, { id, tokens: body.length, sum });
    }
    addToTotals(entry.passages, entry.tokens);
    entries.set(document, entry);
  }

  /** AUTOINCREMENT keeps the highest number that was ever used. */
  function lastPassage(): number {
    const row = db.get<{ last: number }>(
      `SELECT max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = ?1), 0),
          coalesce((SELECT max(id) FROM ${shelf}_passages), 0)) AS last`,
      `${shelf}_passages`,
    );
    return row?.last ?? 0;
  }

  function writePassages(): void {
    insertRows(
      db,
      `INSERT INTO ${shelf}_passages (id, document, line, end_line, tokens, headings, text, sum)`,
      pendingPassages,
    );
    pendingPassages = [];
  }

  function writeEntries(): void {
    const rows = [...entries].map(([document, entry]) => [
      document,
      entry.first,
      entry.passages,
      entry.tokens,
      entry.sum,
      documentEntryChecksum(document, entry),
    ]);
    insertRows(
      db,
      `INSERT INTO ${shelf}_entries (document, first_passage, passages, tokens, sum, seal)`,
      rows,
    );
  }

  function entryOf(document: number): DocumentEntry | undefined {
    const entry = entries.get(document);
    if (entry) {
      entries.delete(document);
      writePassages();
      return entry;
    }
    const stored = db.get<DocumentEntry>(
      `SELECT first_passage AS first, passages, tokens, sum FROM ${shelf}_entries
        WHERE document = ?`,
      document,
    );
    if (stored) db.run(`DELETE FROM ${shelf}_entries WHERE document = ?`, document);
    return stored;
  }

  /** Returns the checksum. */
  function addPassage(id: number, document: number, passage: Passage, tokens: number): number {
    const { line, endLine, text } = passage;
    const headings = JSON.stringify(passage.headings);
    const sum = passageChecksum({ document, line, endLine, tokens, headings, text });
    pendingPassages.push([id, document, line, endLine, tokens, headings, text, sum]);
    return sum;
  }

  function remove(document: number): void {
    const entry = entryOf(document);
    if (!entry || entry.passages === 0) return;
    segments.remove(Array.from({ length: entry.passages }, (_, index) => entry.first + index));
    db.run(
      `DELETE FROM ${shelf}_passages WHERE id >= ? AND id < ?`,
      entry.first,
      entry.first + entry.passages,
    );
    addToTotals(-entry.passages, -entry.tokens);
  }

  function addToTotals(passages: number, tokens: number): void {
    added = { passages: added.passages + passages, tokens: added.tokens + tokens };
  }

  function writeTotals(): void {
    db.run(
      `UPDATE ${shelf}_totals SET passages = passages + ?, tokens = tokens + ?`,
      added.passages,
      added.tokens,
    );
  }

  function totals(): IndexTotals {
    const row = db.get<IndexTotals>(`SELECT passages, tokens FROM ${shelf}_totals`);
    return row ?? { passages: 0, tokens: 0 };
  }

  /** Verifies the totals and segments once after each change. */
  function assertIntact(): void {
    const now = stamp.read();
    if (verifiedStamp === now) return;
    assertTotalsIntact(db, shelf);
    verifiedStamp = now;
  }

  function source(): RankingSource {
    assertIntact();
    const readers = segments.snapshotReader();
    return { ...readers, totals: totals(), vocabulary, owners, titlesOf, passagesOf };
  }

  function match(query: Query, options: MatchOptions): Match[] {
    const { ranking, passages } = rankQuery(query, options, source());
    return passages.map(({ id, document, score }) => ({
      document,
      score: displayScore(score),
      passage: passageWithId(id),
      words: ranking.explain(id),
    }));
  }

  function passagesOf(document: number): PassageRange {
    const range = db.get<PassageRange>(
      `SELECT first_passage AS first, passages AS count FROM ${shelf}_entries WHERE document = ?`,
      document,
    );
    if (!range) throw indexDamaged();
    return range;
  }

  function passageWithId(id: number): Passage {
    const row = db.get<PassageRow>(
      `SELECT ${passageColumns} FROM ${shelf}_passages WHERE id = ?`,
      id,
    );
    if (!row || row.sum !== passageChecksum(row)) throw indexDamaged();
    const { line, endLine, headings, text } = row;
    return { line, endLine, text, headings: JSON.parse(headings) };
  }
}
