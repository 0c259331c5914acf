import type { Document } from "../../kernel/documents/documents.ts";
import type { Passage } from "../../kernel/index/search-index.ts";
import { checksumOfRow, combineChecksums } from "../../kernel/integrity/checksum.ts";
import type { DocumentRange } from "../../kernel/integrity/damage.ts";
import type { Database } from "../../kernel/storage/database.ts";
import {
  all,
  get,
  inNumbers,
  insertAll,
  inTexts,
  run,
  type Steps,
} from "../../kernel/storage/steps.ts";
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
  AND (root ${inTexts("?2")} OR ?2 IS NULL)`;

const toList = (roots: readonly string[] | undefined): string | null =>
  roots ? JSON.stringify(roots) : null;

/**
 * The first documents after an id, in order of id, that have no chunks of this model, optionally of
 * some roots only.
 */
export const readUnembeddedDocuments = (
  model: string,
  roots: readonly string[] | undefined,
  after: number,
  limit: number,
): Steps<Document[]> =>
  all(
    `SELECT id, root, path, hash, size, modified FROM documents
      WHERE ${isUnembedded} AND id > ?3 ORDER BY id LIMIT ?4`,
    model,
    toList(roots),
    after,
    limit,
  );

/** The number of these documents and their total size. */
export function* measureUnembedded(
  model: string,
  roots?: readonly string[],
): Steps<{ documents: number; bytes: number }> {
  const row = yield* get<{ documents: number; bytes: number }>(
    `SELECT count(*) AS documents, coalesce(sum(size), 0) AS bytes FROM documents
      WHERE ${isUnembedded}`,
    model,
    toList(roots),
  );
  return { documents: row?.documents ?? 0, bytes: Number(row?.bytes ?? 0) };
}

/** The number of documents in these roots, and how many of them this model has embedded. */
export function* countEmbedded(
  model: string,
  roots: readonly string[],
): Steps<{ documents: number; embedded: number }> {
  const row = yield* get<{ documents: number; embedded: number }>(
    `SELECT count(*) AS documents, count(search_embedded.document) AS embedded
       FROM documents LEFT JOIN search_embedded ON document = id AND model = ?
      WHERE root ${inTexts("?")}`,
    model,
    JSON.stringify(roots),
  );
  return row ?? { documents: 0, embedded: 0 };
}

/** Whether any chunk has a vector of this model. */
export function* hasChunks(model: string): Steps<boolean> {
  const row = yield* get(
    `SELECT 1 AS found FROM search_embedded AS embedded
       JOIN documents ON documents.id = embedded.document
      WHERE model = ?
        AND EXISTS (SELECT 1 FROM search_chunks WHERE document = embedded.document) LIMIT 1`,
    model,
  );
  return row !== undefined;
}

/** The vectors of all chunks embedded by this model. */
export function* findVectorsInUse(model: string): Steps<Set<number>> {
  const rows = yield* all<{ vector: number }>(
    `SELECT DISTINCT vector FROM search_chunks
      WHERE document IN (SELECT document FROM search_embedded WHERE model = ?)`,
    model,
  );
  return new Set(rows.map(({ vector }) => vector));
}

/** Whether a document is unchanged since it was split into chunks. */
export function* isUnchanged({ id, hash }: Document): Steps<boolean> {
  const select = "SELECT 1 AS found FROM documents WHERE id = ? AND hash = ?";
  return (yield* get(select, id, hash)) !== undefined;
}

/** Replaces the chunks of a document. */
export function* saveChunks(
  document: number,
  chunks: readonly (Chunk & Pick<ChunkRef, "vector" | "isEnglish">)[],
  model: string,
): Steps<void> {
  yield* deleteChunks([document]);
  const rows = chunks.map(({ line, endLine, headings, text, vector, isEnglish }) => [
    ...[document, vector, isEnglish ? 1 : 0, line, endLine],
    JSON.stringify(headings),
    text,
  ]);
  yield* insertAll(
    "INSERT INTO search_chunks (document, vector, english, line, end_line, headings, text)",
    rows,
  );
  const sum = rows.reduce((sum, row) => combineChecksums(sum, checksumOfRow(row)), 0);
  yield* run(
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

export function* deleteChunks(documents: readonly number[]): Steps<void> {
  if (documents.length === 0) return;
  const ids = JSON.stringify(documents);
  for (const table of ["search_chunks", "search_embedded"]) {
    yield* run(`DELETE FROM ${table} WHERE document ${inNumbers("?")}`, ids);
  }
}

/** Reading one JSON text takes a third of the time of reading a row per chunk. */
const selectChunkRefs = {
  sqlite: `SELECT json_group_array(json_array(id, document, vector, english)) AS rows
      FROM (SELECT id, document, vector, english FROM search_chunks WHERE id > ? ORDER BY id)`,
  postgres: `SELECT json_agg(json_build_array(id, document, vector, english) ORDER BY id)::text AS rows
      FROM search_chunks WHERE id > ?`,
};

/** The chunks with a higher id, in order of id. */
export function* readChunkRefsAfter(id: number): Steps<Iterable<ChunkRef>> {
  const row = yield* get<{ rows: string | null }>(selectChunkRefs, id);
  return toChunkRefs(JSON.parse(row?.rows ?? "[]"));
}

function* toChunkRefs(rows: readonly [number, number, number, number][]): Generator<ChunkRef> {
  for (const [id, document, vector, english] of rows) {
    yield { id, document, vector, isEnglish: english === 1 };
  }
}

const orderedIn = `FROM documents WHERE root ${inTexts("?1")} OR ?1 IS NULL`;

const selectDocumentOrder = {
  sqlite: `SELECT json_group_array(id ORDER BY root, path) AS ids ${orderedIn}`,
  postgres: `SELECT json_agg(id ORDER BY root, path)::text AS ids ${orderedIn}`,
};

/** The documents, optionally of some roots only, with their positions in path order. */
export function* readDocumentOrder(
  roots: readonly string[] | undefined,
): Steps<Map<number, number>> {
  const row = yield* get<{ ids: string | null }>(selectDocumentOrder, toList(roots));
  const ids: number[] = JSON.parse(row?.ids ?? "[]");
  return new Map(ids.map((id, position) => [id, position]));
}

const passageColumns = `chunk.id, line, end_line AS "endLine", headings, text`;

const selectPassages = {
  sqlite: `SELECT ${passageColumns}
      FROM json_each(?) AS wanted
      CROSS JOIN search_chunks AS chunk
      CROSS JOIN documents
     WHERE chunk.id = wanted.value AND documents.id = chunk.document`,
  postgres: `SELECT ${passageColumns}
      FROM search_chunks AS chunk JOIN documents ON documents.id = chunk.document
     WHERE chunk.id ${inNumbers("?")}`,
};

/** The passages of these chunks; missing chunks are left out. */
export function* readPassages(chunks: readonly number[]): Steps<Map<number, Passage>> {
  const rows = yield* all<Omit<Passage, "headings"> & { id: number; headings: string }>(
    selectPassages,
    JSON.stringify(chunks),
  );
  return new Map(
    rows.map(({ id, headings, ...row }) => [id, { ...row, headings: JSON.parse(headings) }]),
  );
}
