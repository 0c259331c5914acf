import type { Document } from "../../kernel/documents/documents.ts";
import type { Passage } from "../../kernel/index/search-index.ts";
import { checksumOfRow, combineChecksums } from "../../kernel/integrity/checksum.ts";
import type { DocumentRange } from "../../kernel/integrity/damage.ts";
import type { Database } from "../../kernel/storage/database.ts";
import type { Chunk } from "../../text/search/chunks.ts";

/** A chunk with its document and vector. */
export interface ChunkRef {
  id: number;
  document: number;
  vector: number;
  /** Whether a model for English only can be used for it. */
  isEnglish: boolean;
}

const isUnembedded = `id NOT IN (SELECT document FROM search_embedded WHERE model = ?1)
  AND (?2 IS NULL OR root IN (SELECT value FROM json_each(?2)))`;

/** Documents without chunks of this model, optionally of some roots only, in insertion order. */
export function* readUnembeddedDocuments(
  db: Database,
  model: string,
  roots: readonly string[] | undefined,
): Generator<Document> {
  for (let after = 0, page = 100; page === 100; ) {
    const documents = db.all<Document>(
      `SELECT id, root, path, hash, size, modified FROM documents
        WHERE id > ?3 AND ${isUnembedded} ORDER BY id LIMIT 100`,
      model,
      roots ? JSON.stringify(roots) : null,
      after,
    );
    yield* documents;
    page = documents.length;
    after = documents.at(-1)?.id ?? after;
  }
}

/** The number of these documents and their total size. */
export const measureUnembedded = (
  db: Database,
  model: string,
  roots?: readonly string[],
): { documents: number; bytes: number } =>
  db.get<{ documents: number; bytes: number }>(
    `SELECT count(*) AS documents, coalesce(sum(size), 0) AS bytes FROM documents
      WHERE ${isUnembedded}`,
    model,
    roots ? JSON.stringify(roots) : null,
  ) ?? { documents: 0, bytes: 0 };

/** The number of documents in these roots, and how many of them this model has embedded. */
export const countEmbedded = (
  db: Database,
  model: string,
  roots: readonly string[],
): { documents: number; embedded: number } =>
  db.get<{ documents: number; embedded: number }>(
    `SELECT count(*) AS documents, count(search_embedded.document) AS embedded
       FROM documents LEFT JOIN search_embedded ON document = id AND model = ?
      WHERE root IN (SELECT value FROM json_each(?))`,
    model,
    JSON.stringify(roots),
  ) ?? { documents: 0, embedded: 0 };

/** Whether any chunk has a vector of this model. */
export const hasChunks = (db: Database, model: string): boolean =>
  db.get(
    `SELECT 1 FROM search_embedded AS embedded
       JOIN documents ON documents.id = embedded.document
      WHERE model = ?
        AND EXISTS (SELECT 1 FROM search_chunks WHERE document = embedded.document) LIMIT 1`,
    model,
  ) !== undefined;

/** The vectors of all chunks embedded by this model. */
export const findVectorsInUse = (db: Database, model: string): Set<number> =>
  new Set(
    db
      .all<{ vector: number }>(
        `SELECT DISTINCT vector FROM search_chunks
          WHERE document IN (SELECT document FROM search_embedded WHERE model = ?)`,
        model,
      )
      .map(({ vector }) => vector),
  );

/** Whether a document is unchanged since it was split into chunks. */
export function isUnchanged(db: Database, { id, hash }: Document): boolean {
  return db.get("SELECT 1 FROM documents WHERE id = ? AND hash = ?", id, hash) !== undefined;
}

/** Replaces the chunks of a document. */
export function saveChunks(
  db: Database,
  document: number,
  chunks: readonly (Chunk & Pick<ChunkRef, "vector" | "isEnglish">)[],
  model: string,
): void {
  deleteChunks(db, [document]);
  let sum = 0;
  for (const { line, endLine, headings: titles, text, vector, isEnglish } of chunks) {
    const headings = JSON.stringify(titles);
    const row = [document, vector, isEnglish ? 1 : 0, line, endLine, headings, text] as const;
    db.run(
      `INSERT INTO search_chunks (document, vector, english, line, end_line, headings, text)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      ...row,
    );
    sum = combineChecksums(sum, checksumOfRow(row));
  }
  db.run(
    "INSERT INTO search_embedded (document, model, chunks, sum) VALUES (?, ?, ?, ?)",
    document,
    model,
    chunks.length,
    sum,
  );
}

/** The documents whose chunks do not match their checksums, and the number of chunks checked. */
export function findDamagedChunks(
  db: Database,
  { after, upTo }: DocumentRange,
): { damaged: number[]; rows: number } {
  const actual = new Map<number, { chunks: number; sum: number }>();
  const rows = db.all<{ document: number }>(
    `SELECT document, vector, english, line, end_line, headings, text FROM search_chunks
      WHERE document > ? AND document <= ?`,
    after,
    upTo,
  );
  for (const row of rows) {
    const total = actual.get(row.document) ?? { chunks: 0, sum: 0 };
    total.chunks++;
    total.sum = combineChecksums(total.sum, checksumOfRow(Object.values(row)));
    actual.set(row.document, total);
  }
  const embedded = db.all<{ document: number; chunks: number; sum: number }>(
    "SELECT document, chunks, sum FROM search_embedded WHERE document > ? AND document <= ?",
    after,
    upTo,
  );
  const damaged: number[] = [];
  for (const { document, chunks, sum } of embedded) {
    const total = actual.get(document) ?? { chunks: 0, sum: 0 };
    if (total.chunks !== chunks || total.sum !== sum) damaged.push(document);
    actual.delete(document);
  }
  // What remains are chunks of documents that are not recorded as embedded.
  return { damaged: [...damaged, ...actual.keys()], rows: rows.length };
}

export function deleteChunks(db: Database, documents: readonly number[]): void {
  const ids = JSON.stringify(documents);
  for (const table of ["search_chunks", "search_embedded"]) {
    db.run(`DELETE FROM ${table} WHERE document IN (SELECT value FROM json_each(?))`, ids);
  }
}

/** The chunks with a higher id, in order of id. */
export function* readChunkRefsAfter(db: Database, id: number): Generator<ChunkRef> {
  // Reading one JSON text takes a third of the time of reading a row per chunk.
  const row = db.get<{ rows: string }>(
    `SELECT json_group_array(json_array(id, document, vector, english)) AS rows
       FROM (SELECT id, document, vector, english FROM search_chunks WHERE id > ? ORDER BY id)`,
    id,
  );
  const rows: [number, number, number, number][] = JSON.parse(row?.rows ?? "[]");
  for (const [id, document, vector, english] of rows) {
    yield { id, document, vector, isEnglish: english === 1 };
  }
}

/** The documents, optionally of some roots only, with their positions in path order. */
export function readDocumentOrder(
  db: Database,
  roots: readonly string[] | undefined,
): Map<number, number> {
  const row = db.get<{ ids: string }>(
    `SELECT json_group_array(id ORDER BY root, path) AS ids FROM documents
      WHERE ?1 IS NULL OR root IN (SELECT value FROM json_each(?1))`,
    roots ? JSON.stringify(roots) : null,
  );
  const ids: number[] = JSON.parse(row?.ids ?? "[]");
  return new Map(ids.map((id, position) => [id, position]));
}

/** The passages of these chunks; missing chunks are left out. */
export function readPassages(db: Database, chunks: readonly number[]): Map<number, Passage> {
  const rows = db.all<Omit<Passage, "headings"> & { id: number; headings: string }>(
    `SELECT chunk.id, line, end_line AS endLine, headings, text
       FROM json_each(?) AS wanted
       CROSS JOIN search_chunks AS chunk
       CROSS JOIN documents
      WHERE chunk.id = wanted.value AND documents.id = chunk.document`,
    JSON.stringify(chunks),
  );
  return new Map(
    rows.map(({ id, headings, ...row }) => [id, { ...row, headings: JSON.parse(headings) }]),
  );
}
