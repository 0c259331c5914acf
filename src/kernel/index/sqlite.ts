import { openLexicon } from "../../text/lexicon.ts";
import type { Query } from "../../text/query.ts";
import type { Database } from "../database.ts";
import type { Index, IndexEntry, Match, MatchOptions, Passage } from "./contract.ts";
import type { Mark } from "./gathering.ts";
import { type Owned, type Owners, ownersInTable } from "./owners.ts";
import { placeOf } from "./postings.ts";
import { type Ranking, rank, type Totals } from "./ranking.ts";
import { openSegments, segmentTables } from "./segments.ts";
import {
  addToEntry,
  type Entry,
  emptyEntry,
  indexDamaged,
  type PassageRow,
  passageColumns,
  refuseDamagedTotals,
  sealOfEntry,
  sealTotals,
  sumOfPassage,
} from "./soundness.ts";
import { openStamp } from "./stamp.ts";
import { termsOf } from "./terms.ts";
import { openVocabulary, vocabularyTables } from "./vocabulary.ts";
import { type WordOrder, wordOrderOf } from "./word-order.ts";

/**
 * The tables of one shelf's index: passages as they were written, and what finds them again.
 * A passage's number is never given twice, since postings of a removed one may still name it.
 */
export const indexTables = (shelf: string): string => `
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
  -- What was put of each document: its passages, whose numbers follow one another, and their
  -- checksums, combined. It tells which postings are a document's, though its passages be lost.
  CREATE TABLE ${shelf}_entries (
    document INTEGER PRIMARY KEY,
    first_passage INTEGER NOT NULL,
    passages INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    sum INTEGER NOT NULL,
    -- Over this row.
    seal INTEGER NOT NULL
  );
  -- The checksum is over the numbers, all segments and the removed passages; NULL before the first.
  CREATE TABLE ${shelf}_totals (passages INTEGER NOT NULL, tokens INTEGER NOT NULL, sum INTEGER);
  INSERT INTO ${shelf}_totals VALUES (0, 0, NULL);
  ${segmentTables(shelf)}
  ${vocabularyTables(shelf)}`;

export function openIndex(
  db: Database,
  shelf: string,
  owners: Owners = ownersInTable(db, shelf),
): Index {
  const vocabulary = openVocabulary(db, shelf);
  const lexicon = openLexicon();
  const segments = openSegments(db, shelf, lexicon);
  const stamp = openStamp(db, `${shelf}_postings_stamp`);
  let soundAt: number | undefined;
  /** What the change at hand has put so far. */
  const entries = new Map<number, Entry>();

  return {
    change: (work) =>
      db.transaction(() => {
        entries.clear();
        const words = segments.gather(() =>
          work({
            put(document, entry) {
              remove(document);
              insert(document, entry);
            },
            remove,
          }),
        );
        vocabulary.learn(words);
        writeEntries();
        sealTotals(db, shelf);
      }),
    tidy: () =>
      db.transaction(() => {
        vocabulary.keepOnly(segments.joinAll());
        sealTotals(db, shelf);
      }),
    dropStrays() {
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
        const { passages } = ranked(query, { limit: Number.POSITIVE_INFINITY });
        return [...passages].map(({ document }) => document);
      }),
    count: () => totals().passages,
  };

  function insert(document: number, { title, path, passages }: IndexEntry): void {
    const shared = [marked(placeOf.path, path), marked(placeOf.title, title)];
    const entry = emptyEntry();
    for (const passage of passages) addToEntry(entry, insertPassage(document, passage, shared));
    addToTotals(entry.passages, entry.tokens);
    entries.set(document, entry);
  }

  /** One statement writes all: to call SQLite for each would take longer than what it does. */
  function writeEntries(): void {
    const rows = [...entries].map(([document, entry]) => [
      document,
      entry.first,
      entry.passages,
      entry.tokens,
      entry.sum,
      sealOfEntry(document, entry),
    ]);
    db.run(
      `INSERT INTO ${shelf}_entries (document, first_passage, passages, tokens, sum, seal)
       SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5
         FROM json_each(?)`,
      JSON.stringify(rows),
    );
  }

  function entryOf(document: number): Entry | undefined {
    const entry = entries.get(document);
    if (entry) {
      entries.delete(document);
      return entry;
    }
    const kept = db.get<Entry>(
      `SELECT first_passage AS first, passages, tokens, sum FROM ${shelf}_entries
        WHERE document = ?`,
      document,
    );
    if (kept) db.run(`DELETE FROM ${shelf}_entries WHERE document = ?`, document);
    return kept;
  }

  function insertPassage(
    document: number,
    { headings: titles, line, endLine, text }: Passage,
    shared: readonly Mark[],
  ) {
    const headings = JSON.stringify(titles);
    const marks = [...shared, marked(placeOf.headings, titles.join("\n"))];
    const body = lexicon.numbersOf(text);
    const tokens = body.length;
    const sum = sumOfPassage({ document, line, endLine, tokens, headings, text });
    const { lastId } = db.run(
      `INSERT INTO ${shelf}_passages (document, line, end_line, tokens, headings, text, sum)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      document,
      line,
      endLine,
      tokens,
      headings,
      text,
      sum,
    );
    segments.add(lastId, body, marks);
    return { id: lastId, tokens, sum };
  }

  /** A copy of the numbers, because they must outlast the next text. */
  function marked(place: number, text: string): Mark {
    return { place, tokens: lexicon.numbersOf(text).slice() };
  }

  function remove(document: number): void {
    const entry = entryOf(document);
    if (!entry || entry.passages === 0) return;
    segments.remove(Array.from({ length: entry.passages }, (_, place) => entry.first + place));
    db.run(
      `DELETE FROM ${shelf}_passages WHERE id >= ? AND id < ?`,
      entry.first,
      entry.first + entry.passages,
    );
    addToTotals(-entry.passages, -entry.tokens);
  }

  function addToTotals(passages: number, tokens: number): void {
    db.run(
      `UPDATE ${shelf}_totals SET passages = passages + ?, tokens = tokens + ?`,
      passages,
      tokens,
    );
  }

  function totals(): Totals {
    const row = db.get<Totals>(`SELECT passages, tokens FROM ${shelf}_totals`);
    return row ?? { passages: 0, tokens: 0 };
  }

  /** Whether segments are missing is asked once after each change. */
  function refuseDamaged(): void {
    const now = stamp.read();
    if (soundAt === now) return;
    refuseDamagedTotals(db, shelf);
    soundAt = now;
  }

  function ranked(query: Query, options: MatchOptions) {
    refuseDamaged();
    const order = wordOrderOf(query, segments.read);
    const ranking = rank(termsOf(query, vocabulary, segments.read, segments.termsWith), totals());
    return { ranking, passages: chosen(ranking, order, options) };
  }

  function match(query: Query, options: MatchOptions): Match[] {
    const { ranking, passages } = ranked(query, options);
    return [...passages].map(({ id, document }) => ({
      document,
      score: ranking.scoreOf(id),
      passage: passageWithId(id),
      words: ranking.wordsOf(id),
    }));
  }

  /** Goes down the ranking until enough are found. Every filter stands here, before the cut. */
  function* chosen(ranking: Ranking, order: WordOrder, options: MatchOptions) {
    const { limit, roots, documents, perDocument = 1 } = options;
    const wantedRoots = roots && new Set(roots);
    const wantedDocuments = documents && new Set(documents);
    const taken = new Map<number, number>();
    let found = 0;
    for (const ids of inGrowingParts(ranking, order.admits, limit)) {
      for (const { id, document, root } of inOrder(owners(ids), ranking)) {
        const before = taken.get(document) ?? 0;
        if (before >= perDocument) continue;
        if (wantedRoots && !wantedRoots.has(root)) continue;
        if (wantedDocuments && !wantedDocuments.has(document)) continue;
        if (order.mustBeRead && !order.fits(textsOf(id, document))) continue;
        taken.set(document, before + 1);
        yield { id, document };
        if (++found >= limit) return;
      }
    }
  }

  function passageWithId(id: number): Passage {
    const row = db.get<PassageRow>(
      `SELECT ${passageColumns} FROM ${shelf}_passages WHERE id = ?`,
      id,
    );
    if (!row || row.sum !== sumOfPassage(row)) throw indexDamaged();
    const { line, endLine, headings, text } = row;
    return { line, endLine, text, headings: JSON.parse(headings) };
  }

  /** The texts of a passage in which a phrase may stand. */
  function textsOf(id: number, document: number): string[] {
    const { headings, text } = passageWithId(id);
    const path = db.get<{ path: string }>("SELECT path FROM documents WHERE id = ?", document);
    return [text, ...headings, path?.path ?? ""];
  }
}

/**
 * A few at first; the parts grow, so that even a search through everything asks but a few times.
 * Passages of one score are never parted, because which of them comes first is still to be seen.
 */
function* inGrowingParts(
  { bestFirst, scoreOf }: Ranking,
  isWanted: (id: number) => boolean,
  limit: number,
): Generator<number[]> {
  let part: number[] = [];
  let size = limit * 2 + 10;
  for (const id of bestFirst()) {
    if (!isWanted(id)) continue;
    const last = part.at(-1) ?? id;
    if (part.length >= size && scoreOf(last) > scoreOf(id)) {
      yield part;
      part = [];
      size *= 4;
    }
    part.push(id);
  }
  yield part;
}

/**
 * By score; then by where the document lies and the place in it. Those stay the same however often a
 * document changes, and in whatever order documents were put.
 */
const inOrder = (rows: Owned[], { scoreOf }: Ranking): Owned[] =>
  rows.sort(
    (a, b) =>
      scoreOf(b.id) - scoreOf(a.id) ||
      compare(a.root, b.root) ||
      compare(a.path, b.path) ||
      a.document - b.document ||
      a.id - b.id,
  );

const compare = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1);
