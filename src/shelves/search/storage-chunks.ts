import { checksumOfRow, combined } from "../../kernel/checksum.ts";
import type { DocumentRange } from "../../kernel/damage.ts";
import type { Database } from "../../kernel/database.ts";
import type { Document } from "../../kernel/documents.ts";
import type { Passage } from "../../kernel/index/contract.ts";
import type { Chunk } from "../../text/chunks.ts";

/** Which vector a chunk has. */
export interface ChunkPlace {
  id: number;
  document: number;
  vector: number;
  /** Whether a model that knows English only may judge it. */
  isEnglish: boolean;
}

/** Documents that have no chunks of this model yet, in the order they came. */
export function documentsWithoutChunks(db: Database, model: string, limit: number): Document[] {
  return db.all(
    `SELECT id, root, path, hash, size, modified FROM documents
      WHERE id NOT IN (SELECT document FROM search_embedded WHERE model = ?)
      ORDER BY id LIMIT ?`,
    model,
    limit,
  );
}

export function countWithoutChunks(db: Database, model: string): number {
  const row = db.get<{ count: number }>(
    `SELECT count(*) AS count FROM documents
      WHERE id NOT IN (SELECT document FROM search_embedded WHERE model = ?)`,
    model,
  );
  return row?.count ?? 0;
}

/** Whether any chunk has a vector of this model. */
export const hasChunks = (db: Database, model: string): boolean =>
  db.get(
    `SELECT 1 FROM search_embedded AS embedded
       JOIN documents ON documents.id = embedded.document
      WHERE model = ?
        AND EXISTS (SELECT 1 FROM search_chunks WHERE document = embedded.document) LIMIT 1`,
    model,
  ) !== undefined;

/** The vectors of all chunks that were embedded by this model. */
export const vectorsInUse = (db: Database, model: string): Set<number> =>
  new Set(
    db
      .all<{ vector: number }>(
        `SELECT DISTINCT vector FROM search_chunks
          WHERE document IN (SELECT document FROM search_embedded WHERE model = ?)`,
        model,
      )
      .map(({ vector }) => vector),
  );

/** Whether a document still says what its chunks were cut from. */
export function isUnchanged(db: Database, { id, hash }: Document): boolean {
  return db.get("SELECT 1 FROM documents WHERE id = ? AND hash = ?", id, hash) !== undefined;
}

/** Replaces the chunks of a document. */
export function saveChunks(
  db: Database,
  document: number,
  chunks: readonly (Chunk & Pick<ChunkPlace, "vector" | "isEnglish">)[],
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
    sum = combined(sum, checksumOfRow(row));
  }
  db.run(
    "INSERT INTO search_embedded (document, model, chunks, sum) VALUES (?, ?, ?, ?)",
    document,
    model,
    chunks.length,
    sum,
  );
}

/** The documents whose chunks are not as they were saved, and how many chunks there are. */
export function damagedChunks(
  db: Database,
  { after, upTo }: DocumentRange,
): { damaged: number[]; rows: number } {
  const found = new Map<number, { chunks: number; sum: number }>();
  const rows = db.all<{ document: number }>(
    `SELECT document, vector, english, line, end_line, headings, text FROM search_chunks
      WHERE document > ? AND document <= ?`,
    after,
    upTo,
  );
  for (const row of rows) {
    const known = found.get(row.document) ?? { chunks: 0, sum: 0 };
    known.chunks++;
    known.sum = combined(known.sum, checksumOfRow(Object.values(row)));
    found.set(row.document, known);
  }
  const embedded = db.all<{ document: number; chunks: number; sum: number }>(
    "SELECT document, chunks, sum FROM search_embedded WHERE document > ? AND document <= ?",
    after,
    upTo,
  );
  const damaged: number[] = [];
  for (const { document, chunks, sum } of embedded) {
    const known = found.get(document) ?? { chunks: 0, sum: 0 };
    if (known.chunks !== chunks || known.sum !== sum) damaged.push(document);
    found.delete(document);
  }
  return { damaged: [...damaged, ...found.keys()], rows: rows.length };
}

export function deleteChunks(db: Database, documents: readonly number[]): void {
  const ids = JSON.stringify(documents);
  for (const table of ["search_chunks", "search_embedded"]) {
    db.run(`DELETE FROM ${table} WHERE document IN (SELECT value FROM json_each(?))`, ids);
  }
}

/** All with higher numbers than the given one, in the order of their numbers. */
export function* chunkPlacesAfter(db: Database, id: number): Generator<ChunkPlace> {
  // One text for all is read in a third of the time that a row for each would take.
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

/** The documents there are, or only those of some roots; each with its place in the order of paths. */
export function documentPlaces(
  db: Database,
  roots: readonly string[] | undefined,
): Map<number, number> {
  const row = db.get<{ ids: string }>(
    `SELECT json_group_array(id ORDER BY root, path) AS ids FROM documents
      WHERE ?1 IS NULL OR root IN (SELECT value FROM json_each(?1))`,
    roots ? JSON.stringify(roots) : null,
  );
  const ids: number[] = JSON.parse(row?.ids ?? "[]");
  return new Map(ids.map((id, place) => [id, place]));
}

/** The passages of these chunks, as far as they are there and may be seen. */
export function passagesOf(db: Database, chunks: readonly number[]): Map<number, Passage> {
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
