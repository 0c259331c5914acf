import { checksumOf, checksumOfRow, combined } from "../checksum.ts";
import {
  addDamaged,
  type Damage,
  type DocumentRange,
  indexDamagedCode,
  type VerifiedPart,
  type VerifiedStep,
} from "../damage.ts";
import type { Database } from "../database.ts";
import { Failure } from "../failure.ts";
import { hashOfTerm } from "./blocks.ts";
import { openStamp } from "./stamp.ts";

/**
 * Checksums of an index. SQLite has none for what is inside of its pages, so each row that can be
 * damaged has one of ours, and what counts rows tells that one is missing:
 *
 * ```
 * passage → entry of its document      block of postings → segment → totals      word → words
 * ```
 *
 * A search checks what it reads. `verifiedIndex` is how everything is checked.
 */
export const indexDamaged = (): Failure =>
  new Failure("conflict", indexDamagedCode, "The search index is damaged.", {
    hints: ["Run `lectern update`: it finds the damage and reads the documents again."],
  });

export interface BlockRow {
  segment: number;
  bucket: number;
  block: Uint8Array;
  sum: number;
}

export const sumOfBlock = ({ segment, bucket, block }: Omit<BlockRow, "sum">): number =>
  checksumOf(block, segment * 65_537 + bucket);

/** The block of a row that is there and has its checksum. */
export function soundBlock(row: Partial<BlockRow>): Uint8Array {
  const { segment, bucket, block, sum } = row;
  const isThere = typeof segment === "number" && typeof bucket === "number" && block;
  if (!isThere || sumOfBlock({ segment, bucket, block }) !== sum) throw indexDamaged();
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

export const sumOfPassage = (row: Omit<PassageRow, "sum">): number =>
  checksumOf(
    `${row.document} ${row.line} ${row.endLine} ${row.tokens} ${row.headings}\n${row.text}`,
  );

/** The same text, put together by SQLite: one value is read in a fraction of the time of six. */
const passageContent =
  "document || ' ' || line || ' ' || end_line || ' ' || tokens || ' ' || headings || char(10) || text";

/** All passages of a document. */
export interface Entry {
  /** The number of its first passage; the others follow. */
  first: number;
  passages: number;
  tokens: number;
  sum: number;
}

export const emptyEntry = (): Entry => ({ first: 0, passages: 0, tokens: 0, sum: 0 });

export function addToEntry(
  entry: Entry,
  { id, tokens, sum }: { id: number; tokens: number; sum: number },
): void {
  if (entry.passages === 0) entry.first = id;
  entry.passages++;
  entry.tokens += tokens;
  entry.sum = combined(entry.sum, Math.imul(id, 0x9e3779b1) ^ sum);
}

export const sealOfEntry = (document: number, entry: Entry): number =>
  checksumOfRow([document, entry.first, entry.passages, entry.tokens, entry.sum]);

export const sumOfWord = (word: string, token: string): number =>
  hashOfTerm(word) ^ Math.imul(hashOfTerm(token), 31);

/** To be called at the end of each change. */
export function sealTotals(db: Database, shelf: string): void {
  db.run(`UPDATE ${shelf}_totals SET sum = ?`, sumOfTotals(db, shelf));
}

/** Over the totals, all segments, and the passages that are removed and still in some segment. */
function sumOfTotals(db: Database, shelf: string): number {
  const [totals] = db.all<object>(`SELECT passages, tokens FROM ${shelf}_totals`);
  const [removed] = db.all<object>(
    `SELECT count(*) AS count, total(passage) AS ids FROM ${shelf}_removed`,
  );
  const segments = db.all<object>(
    `SELECT id, first_passage, postings, buckets FROM ${shelf}_segments ORDER BY id`,
  );
  return checksumOfRow([totals, removed, ...segments]);
}

function areTotalsSound(db: Database, shelf: string): boolean {
  const rows = db.all<{ passages: number; sum: number | null }>(
    `SELECT passages, sum FROM ${shelf}_totals`,
  );
  const [totals] = rows;
  if (!totals || rows.length !== 1) return false;
  // Nothing was ever put.
  if (totals.sum === null && totals.passages === 0) return true;
  return totals.sum === sumOfTotals(db, shelf);
}

export function refuseDamagedTotals(db: Database, shelf: string): void {
  if (!areTotalsSound(db, shelf)) throw indexDamaged();
}

/** All parts of an index, to be compared with their checksums. */
export const verifiedIndex = (shelf: string): VerifiedPart[] => [
  { name: "totals", verify: (db, _, damage) => verifyTotals(db, shelf, damage) },
  { name: "postings", verify: (db, after, damage) => verifyPostings(db, shelf, after, damage) },
  { name: "words", verify: (db, after, damage) => verifyWords(db, shelf, after, damage) },
];

function verifyTotals(db: Database, shelf: string, { broken }: Damage): VerifiedStep {
  if (!areTotalsSound(db, shelf)) broken.add(`the ${shelf} index: its totals or segments`);
  const isCounted = db.get(
    `SELECT 1 FROM ${shelf}_totals AS totals,
         (SELECT total(passages) AS passages, total(tokens) AS tokens FROM ${shelf}_entries) AS entries
      WHERE totals.passages = entries.passages AND totals.tokens = entries.tokens`,
  );
  // Nobody knows which postings are those of an entry that is gone.
  if (!isCounted) broken.add(`the ${shelf} index: the entries of its documents`);
  const revived = db.get(
    `SELECT 1 FROM ${shelf}_removed AS removed JOIN ${shelf}_passages ON id = removed.passage`,
  );
  if (revived) broken.add(`the ${shelf} index: its list of removed passages`);
  return { rows: 1 };
}

const blocksPerStep = 100;

/** Each bucket has a row, so a block is missing where there are fewer rows than buckets. */
function verifyPostings(
  db: Database,
  shelf: string,
  position: unknown,
  { broken }: Damage,
): VerifiedStep {
  const [segment, bucket] = Array.isArray(position)
    ? position.map(Number)
    : [Number.MIN_SAFE_INTEGER, 0];
  const found = db.get<{ id: number; buckets: number }>(
    `SELECT id, buckets FROM ${shelf}_segments WHERE id >= ? ORDER BY id LIMIT 1`,
    segment ?? 0,
  );
  if (!found) return { rows: 0 };
  const from = found.id === segment ? (bucket ?? 0) : 0;
  const upTo = Math.min(from + blocksPerStep, found.buckets);
  const blocks = db.all<BlockRow>(
    `SELECT segment, bucket, block, sum FROM ${shelf}_postings
      WHERE segment = ? AND bucket >= ? AND bucket < ?`,
    found.id,
    from,
    upTo,
  );
  const isSound =
    blocks.length === upTo - from && blocks.every((row) => sumOfBlock(row) === row.sum);
  if (!isSound) {
    broken.add(`the ${shelf} index: the postings of segment ${found.id}`);
    return { rows: blocks.length };
  }
  return { next: upTo < found.buckets ? [found.id, upTo] : [found.id + 1, 0], rows: blocks.length };
}

const wordsPerStep = 2_000;

/** How far the words are added up, and the stamp of the list that they are from. */
interface WordsSoFar {
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
): VerifiedStep {
  const stamp = openStamp(db, `${shelf}_vocabulary_stamp`).read();
  const known = position as WordsSoFar | undefined;
  // Where words were added since, those that are added up already may no longer be all.
  const before = known?.stamp === stamp ? known : { stamp, last: "", words: 0, sum: 0 };
  // No word holds a blank. One text for all is read in a fraction of the time of a row for each.
  const { lines = null, last = null } =
    db.get<{ lines: string | null; last: string | null }>(
      `SELECT group_concat(word || ' ' || token, char(10)) AS lines, max(word) AS last
         FROM (SELECT word, token FROM ${shelf}_vocabulary WHERE word > ? ORDER BY word LIMIT ?)`,
      before.last,
      wordsPerStep,
    ) ?? {};
  const sums = (lines?.split("\n") ?? []).map((line) => {
    const [word = "", token = ""] = line.split(" ");
    return sumOfWord(word, token);
  });
  const words = before.words + sums.length;
  const sum = sums.reduce(combined, before.sum);
  const rows = Math.ceil(sums.length / 4);
  if (last !== null) return { next: { stamp, last, words, sum }, rows };
  const seals = db.all<{ words: number; sum: number }>(`SELECT words, sum FROM ${shelf}_words`);
  const isSound = seals.length === 1 && seals[0]?.words === words && seals[0].sum === sum;
  if (!isSound) broken.add(`the ${shelf} index: its list of words`);
  return { rows };
}

/** Compares the passages of some documents with their checksums, and gives how many there are. */
export function verifyEntries(
  db: Database,
  shelf: string,
  { after, upTo }: DocumentRange,
  damage: Damage,
): number {
  const found = new Map<number, Entry>();
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
    const entry = found.get(row.document) ?? emptyEntry();
    addToEntry(entry, row);
    found.set(row.document, entry);
    if (checksumOf(row.content) !== row.sum) damaged.add(row.document);
  }
  const entries = db.all<Entry & { document: number; seal: number }>(
    `SELECT document, first_passage AS first, passages, tokens, sum, seal FROM ${shelf}_entries
      WHERE document > ? AND document <= ?`,
    after,
    upTo,
  );
  // Nobody knows which postings are those of a damaged entry.
  if (entries.some((entry) => sealOfEntry(entry.document, entry) !== entry.seal)) {
    damage.broken.add(`the ${shelf} index: the entry of a document`);
  }
  for (const { document, ...entry } of entries) {
    const { first, passages, tokens, sum } = found.get(document) ?? emptyEntry();
    const isSame =
      entry.first === first &&
      entry.passages === passages &&
      entry.tokens === tokens &&
      entry.sum === sum;
    if (!isSame) damaged.add(document);
    found.delete(document);
  }
  for (const document of found.keys()) damaged.add(document);
  addDamaged(damage, "passages", damaged);
  return rows.length;
}
