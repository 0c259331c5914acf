import { openLexicon } from "../../text/lexicon.ts";
import type { Query } from "../../text/query.ts";
import type { Database } from "../database.ts";
import type { Index, IndexEntry, Match, MatchOptions, Passage } from "./contract.ts";
import type { Mark } from "./gathering.ts";
import { type Owned, type Owners, ownersInTable } from "./owners.ts";
import { placeOf } from "./postings.ts";
import { type Ranking, rank, type Totals } from "./ranking.ts";
import { openSegments, segmentTables } from "./segments.ts";
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
    text TEXT NOT NULL
  );
  CREATE INDEX ${shelf}_passages_by_document ON ${shelf}_passages (document);
  CREATE TABLE ${shelf}_totals (passages INTEGER NOT NULL, tokens INTEGER NOT NULL);
  INSERT INTO ${shelf}_totals VALUES (0, 0);
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

  return {
    change: (work) =>
      db.transaction(() => {
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
      }),
    tidy: () => db.transaction(() => vocabulary.keepOnly(segments.joinAll())),
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
    let tokens = 0;
    for (const passage of passages) tokens += insertPassage(document, passage, shared);
    addToTotals(passages.length, tokens);
  }

  /** Gives the number of its tokens. */
  function insertPassage(
    document: number,
    { headings, line, endLine, text }: Passage,
    shared: readonly Mark[],
  ): number {
    const marks = [...shared, marked(placeOf.headings, headings.join("\n"))];
    const body = lexicon.numbersOf(text);
    const { lastId } = db.run(
      `INSERT INTO ${shelf}_passages (document, line, end_line, tokens, headings, text)
       VALUES (?, ?, ?, ?, ?, ?)`,
      document,
      line,
      endLine,
      body.length,
      JSON.stringify(headings),
      text,
    );
    segments.add(lastId, body, marks);
    return body.length;
  }

  /** A copy of the numbers, because they must outlast the next text. */
  function marked(place: number, text: string): Mark {
    return { place, tokens: lexicon.numbersOf(text).slice() };
  }

  function remove(document: number): void {
    const rows = db.all<{ id: number; tokens: number }>(
      `SELECT id, tokens FROM ${shelf}_passages WHERE document = ?`,
      document,
    );
    if (rows.length === 0) return;
    segments.remove(rows.map(({ id }) => id));
    db.run(`DELETE FROM ${shelf}_passages WHERE document = ?`, document);
    addToTotals(
      -rows.length,
      rows.reduce((sum, { tokens }) => sum - tokens, 0),
    );
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

  function ranked(query: Query, options: MatchOptions) {
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
    const row = db.get<Omit<Passage, "headings"> & { headings: string }>(
      `SELECT line, end_line AS endLine, headings, text FROM ${shelf}_passages WHERE id = ?`,
      id,
    );
    if (!row) throw new Error("The index names a passage that is not there.");
    return { ...row, headings: JSON.parse(row.headings) };
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
