import { Failure } from "../failure.ts";
import { checksumOf, checksumOfRow, combineChecksums } from "../integrity/checksum.ts";
import {
  addDamagedDocuments,
  type Damage,
  type DocumentRange,
  type IntegrityCheck,
  type IntegrityStep,
  indexDamagedCode,
} from "../integrity/damage.ts";
import type { Database } from "../storage/database.ts";
import { openChangeStamp } from "./change-stamp.ts";
import { hashTerm } from "./segments/blocks.ts";

/**
 * Checksums of an index. SQLite pages have none, so each row has a checksum of its own, and parent
 * rows count their rows, so that a missing one is noticed:
 *
 * ```
 * passage → entry of its document      block of a segment → segment → totals      word → words
 * ```
 *
 * A search verifies the rows that it reads; `indexVerificationParts` verifies everything.
 */
export const indexDamaged = (): Failure =>
  new Failure("conflict", indexDamagedCode, "The search index is damaged.", {
    hints: ["Run `lectern update`: it finds the damage and indexes the documents again."],
  });

export interface BlockRow {
  /** See `blockId`. */
  id: number;
  block: Uint8Array;
  sum: number;
}

/** The largest number of buckets in a segment. */
export const maxBuckets = 2 ** 20;

export const blockId = (segment: number, bucket: number): number => segment * maxBuckets + bucket;

export const blockChecksum = ({ id, block }: Omit<BlockRow, "sum">): number =>
  checksumOf(block, Math.floor(id / maxBuckets) * 65_537 + (id % maxBuckets));

/** The block of a row. Throws if the row is missing or its checksum is wrong. */
export function verifiedBlock(row: Partial<BlockRow>): Uint8Array {
  const { id, block, sum } = row;
  const exists = typeof id === "number" && block;
  if (!exists || blockChecksum({ id, block }) !== sum) throw indexDamaged();
  return block;
}

export interface PassageRow {
  document: number;
  line: number;
  endLine: number;
  tokens: number;
  /** JSON. */
  headings: string;
  text: string;
  sum: number;
}

export const passageColumns = "document, line, end_line AS endLine, tokens, headings, text, sum";

/** Continues the checksum with the text, which is faster than joining the two. */
export const passageChecksum = (row: Omit<PassageRow, "sum">): number =>
  checksumOf(
    row.text,
    checksumOf(`${row.document} ${row.line} ${row.endLine} ${row.tokens} ${row.headings}\n`),
  );

/** The same text as an SQL expression: reading one column is several times faster than six. */
const passageContent =
  "document || ' ' || line || ' ' || end_line || ' ' || tokens || ' ' || headings || char(10) || text";

/** Describes all passages of a document. */
export interface DocumentEntry {
  /** The number of its first passage. The others follow consecutively. */
  first: number;
  passages: number;
  tokens: number;
  sum: number;
}

export const createDocumentEntry = (): DocumentEntry => ({
  first: 0,
  passages: 0,
  tokens: 0,
  sum: 0,
});

export function addToDocumentEntry(
  entry: DocumentEntry,
  { id, tokens, sum }: { id: number; tokens: number; sum: number },
): void {
  if (entry.passages === 0) entry.first = id;
  entry.passages++;
  entry.tokens += tokens;
  entry.sum = combineChecksums(entry.sum, Math.imul(id, 0x9e3779b1) ^ sum);
}

export const documentEntryChecksum = (document: number, entry: DocumentEntry): number =>
  checksumOfRow([document, entry.first, entry.passages, entry.tokens, entry.sum]);

export const wordChecksum = (word: string, token: string): number =>
  hashTerm(word) ^ Math.imul(hashTerm(token), 31);

/** Must be called at the end of each change. */
export function updateTotalsChecksum(db: Database, shelf: string): void {
  db.run(`UPDATE ${shelf}_totals SET sum = ?`, computeTotalsChecksum(db, shelf));
}

/** A checksum of the totals, all segments, and the removed passages that are still in a segment. */
function computeTotalsChecksum(db: Database, shelf: string): number {
  const [totals] = db.all<object>(`SELECT passages, tokens FROM ${shelf}_totals`);
  const [removed] = db.all<object>(
    `SELECT count(*) AS count, total(passage) AS ids FROM ${shelf}_removed`,
  );
  const segments = db.all<object>(
    `SELECT id, first_passage, postings, buckets FROM ${shelf}_segments ORDER BY id`,
  );
  return checksumOfRow([totals, removed, ...segments]);
}

function areTotalsIntact(db: Database, shelf: string): boolean {
  const rows = db.all<{ passages: number; sum: number | null }>(
    `SELECT passages, sum FROM ${shelf}_totals`,
  );
  const [totals] = rows;
  if (!totals || rows.length !== 1) return false;
  // The index is new and empty.
  if (totals.sum === null && totals.passages === 0) return true;
  return totals.sum === computeTotalsChecksum(db, shelf);
}

export function assertTotalsIntact(db: Database, shelf: string): void {
  if (!areTotalsIntact(db, shelf)) throw indexDamaged();
}

/** The steps that verify all parts of an index. */
export const indexVerificationParts = (shelf: string): IntegrityCheck[] => [
  { name: "totals", verify: (db, _, damage) => verifyTotals(db, shelf, damage) },
  ...(["postings", "positions"] as const).map((table) => ({
    name: table,
    verify: (db: Database, after: unknown, damage: Damage) =>
      verifyBlocks(db, shelf, table, after, damage),
  })),
  { name: "words", verify: (db, after, damage) => verifyWords(db, shelf, after, damage) },
];

function verifyTotals(db: Database, shelf: string, { broken }: Damage): IntegrityStep {
  if (!areTotalsIntact(db, shelf)) broken.add(`the ${shelf} index: its totals or segments`);
  const isCounted = db.get(
    `SELECT 1 FROM ${shelf}_totals AS totals,
         (SELECT total(passages) AS passages, total(tokens) AS tokens FROM ${shelf}_entries) AS entries
      WHERE totals.passages = entries.passages AND totals.tokens = entries.tokens`,
  );
  // The postings of a lost entry cannot be identified.
  if (!isCounted) broken.add(`the ${shelf} index: the entries of its documents`);
  const revived = db.get(
    `SELECT 1 FROM ${shelf}_removed AS removed JOIN ${shelf}_passages ON id = removed.passage`,
  );
  if (revived) broken.add(`the ${shelf} index: its list of removed passages`);
  return { rows: 1 };
}

const blocksPerStep = 100;

/** Each bucket has a row, so fewer rows than buckets means that a block is missing. */
function verifyBlocks(
  db: Database,
  shelf: string,
  table: "postings" | "positions",
  position: unknown,
  { broken }: Damage,
): IntegrityStep {
  const [segment, bucket] = Array.isArray(position)
    ? position.map(Number)
    : [Number.MIN_SAFE_INTEGER, 0];
  const current = db.get<{ id: number; buckets: number }>(
    `SELECT id, buckets FROM ${shelf}_segments WHERE id >= ? ORDER BY id LIMIT 1`,
    segment ?? 0,
  );
  if (!current) return { rows: 0 };
  const from = current.id === segment ? (bucket ?? 0) : 0;
  const upTo = Math.min(from + blocksPerStep, current.buckets);
  const blocks = db.all<BlockRow>(
    `SELECT id, block, sum FROM ${shelf}_${table} WHERE id >= ? AND id < ?`,
    blockId(current.id, from),
    blockId(current.id, upTo),
  );
  const isIntact =
    blocks.length === upTo - from && blocks.every((row) => blockChecksum(row) === row.sum);
  if (!isIntact) {
    broken.add(`the ${shelf} index: the ${table} of segment ${current.id}`);
    return { rows: blocks.length };
  }
  const next = upTo < current.buckets ? [current.id, upTo] : [current.id + 1, 0];
  return { next, rows: blocks.length };
}

const wordsPerStep = 2_000;

/** The sums up to the word `last`, and the stamp of the vocabulary that they were computed from. */
interface WordVerificationProgress {
  stamp: number;
  last: string;
  words: number;
  sum: number;
}

function verifyWords(
  db: Database,
  shelf: string,
  position: unknown,
  { broken }: Damage,
): IntegrityStep {
  const stamp = openChangeStamp(db, `${shelf}_vocabulary_stamp`).read();
  const known = position as WordVerificationProgress | undefined;
  // If words were added in the meantime, start over: some may precede `last`.
  const before = known?.stamp === stamp ? known : { stamp, last: "", words: 0, sum: 0 };
  // Words contain no space. Reading one concatenated string is several times faster than many rows.
  const { lines = null, last = null } =
    db.get<{ lines: string | null; last: string | null }>(
      `SELECT group_concat(word || ' ' || token, char(10)) AS lines, max(word) AS last
         FROM (SELECT word, token FROM ${shelf}_vocabulary WHERE word > ? ORDER BY word LIMIT ?)`,
      before.last,
      wordsPerStep,
    ) ?? {};
  const sums = (lines?.split("\n") ?? []).map((line) => {
    const [word = "", token = ""] = line.split(" ");
    return wordChecksum(word, token);
  });
  const words = before.words + sums.length;
  const sum = sums.reduce(combineChecksums, before.sum);
  const rows = Math.ceil(sums.length / 4);
  if (last !== null) return { next: { stamp, last, words, sum }, rows };
  const totals = db.all<{ words: number; sum: number }>(`SELECT words, sum FROM ${shelf}_words`);
  const isIntact = totals.length === 1 && totals[0]?.words === words && totals[0].sum === sum;
  if (!isIntact) broken.add(`the ${shelf} index: its list of words`);
  return { rows };
}

/** Verifies the passages of a range of documents. Returns the number of passages. */
export function verifyDocumentEntries(
  db: Database,
  shelf: string,
  { after, upTo }: DocumentRange,
  damage: Damage,
): number {
  const actualEntries = new Map<number, DocumentEntry>();
  const damaged = new Set<number>();
  const rows = db.all<{
    id: number;
    document: number;
    tokens: number;
    sum: number;
    content: string;
  }>(
    `SELECT id, document, tokens, sum, ${passageContent} AS content FROM ${shelf}_passages
      WHERE document > ? AND document <= ? ORDER BY document, id`,
    after,
    upTo,
  );
  for (const row of rows) {
    const entry = actualEntries.get(row.document) ?? createDocumentEntry();
    addToDocumentEntry(entry, row);
    actualEntries.set(row.document, entry);
    if (checksumOf(row.content) !== row.sum) damaged.add(row.document);
  }
  const entries = db.all<DocumentEntry & { document: number; seal: number }>(
    `SELECT document, first_passage AS first, passages, tokens, sum, seal FROM ${shelf}_entries
      WHERE document > ? AND document <= ?`,
    after,
    upTo,
  );
  // The postings of a damaged entry cannot be identified.
  if (entries.some((entry) => documentEntryChecksum(entry.document, entry) !== entry.seal)) {
    damage.broken.add(`the ${shelf} index: the entry of a document`);
  }
  for (const { document, ...entry } of entries) {
    const { first, passages, tokens, sum } = actualEntries.get(document) ?? createDocumentEntry();
    const isSame =
      entry.first === first &&
      entry.passages === passages &&
      entry.tokens === tokens &&
      entry.sum === sum;
    if (!isSame) damaged.add(document);
    actualEntries.delete(document);
  }
  // Passages without an entry.
  for (const document of actualEntries.keys()) damaged.add(document);
  addDamagedDocuments(damage, "passages", damaged);
  return rows.length;
}
