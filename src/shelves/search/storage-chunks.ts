import type { Database } from "../../kernel/database.ts";
import type { Document } from "../../kernel/documents.ts";
import type { Chunk } from "../../text/chunks.ts";

/** A chunk of a document, with the number of its vector. */
export interface StoredChunk extends Chunk {
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

/** Whether anything can be found by its meaning. */
export const hasChunks = (db: Database): boolean =>
  db.get("SELECT 1 FROM search_chunks JOIN documents ON documents.id = document LIMIT 1") !==
  undefined;

/** Whether a document still says what its chunks were cut from. */
export function isUnchanged(db: Database, { id, hash }: Document): boolean {
  return db.get("SELECT 1 FROM documents WHERE id = ? AND hash = ?", id, hash) !== undefined;
}

/** Replaces the chunks of a document. */
export function saveChunks(
  db: Database,
  document: number,
  chunks: readonly Omit<StoredChunk, "id" | "document">[],
  model: string,
): void {
  deleteChunks(db, [document]);
  for (const { line, endLine, headings, text, vector, isEnglish } of chunks) {
    db.run(
      `INSERT INTO search_chunks (document, vector, english, line, end_line, headings, text)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      document,
      vector,
      isEnglish ? 1 : 0,
      line,
      endLine,
      JSON.stringify(headings),
      text,
    );
  }
  db.run("INSERT INTO search_embedded (document, model) VALUES (?, ?)", document, model);
}

export function deleteChunks(db: Database, documents: readonly number[]): void {
  const ids = JSON.stringify(documents);
  for (const table of ["search_chunks", "search_embedded"]) {
    db.run(`DELETE FROM ${table} WHERE document IN (SELECT value FROM json_each(?))`, ids);
  }
}

/** Every chunk that one of these vectors stands for, with the root of its document. */
export function chunksOfVectors(
  db: Database,
  vectors: readonly number[],
): (StoredChunk & { root: string })[] {
  const rows = db.all<Row>(
    `SELECT chunk.id, chunk.document, vector, english, line, end_line AS endLine, headings, text,
            documents.root
       FROM json_each(?) AS wanted
       CROSS JOIN search_chunks AS chunk
       CROSS JOIN documents
      WHERE chunk.vector = wanted.value AND documents.id = chunk.document
      ORDER BY wanted.key, chunk.id`,
    JSON.stringify(vectors),
  );
  return rows.map(({ english, headings, ...row }) => ({
    ...row,
    isEnglish: english === 1,
    headings: JSON.parse(headings),
  }));
}

type Row = Omit<StoredChunk, "isEnglish" | "headings"> & {
  english: number;
  headings: string;
  root: string;
};
