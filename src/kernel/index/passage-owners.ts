import { growColumn } from "../../text/arrays/growable-column.ts";
import { int32At } from "../../text/arrays/typed-element-at.ts";
import type { Database } from "../storage/database.ts";
import { indexDamaged } from "./integrity.ts";
import type { FindTitles } from "./ranking/titles.ts";

/** A passage, its document, and the document's path. */
export interface PassageOwner {
  id: number;
  document: number;
  root: string;
  path: string;
}

/** Finds the documents of passages. Omits passages of documents that the caller may not see. */
export type FindPassageOwners = (passages: readonly number[]) => PassageOwner[];

/** Joins with the `documents` table, which may be a view that hides some documents. */
export const tableOwners =
  (db: Database, shelf: string): FindPassageOwners =>
  (passages) => {
    const rows = db.all<{ [Key in keyof PassageOwner]: PassageOwner[Key] | null }>(
      `SELECT passage.id, passage.document, documents.root, documents.path
         FROM json_each(?) AS wanted
         LEFT JOIN ${shelf}_passages AS passage ON passage.id = wanted.value
         LEFT JOIN documents ON documents.id = passage.document`,
      JSON.stringify(passages),
    );
    // Every passage of a posting exists unless it was removed, and removed ones are filtered out.
    if (rows.some(({ id }) => id === null)) throw indexDamaged();
    return rows.filter((row): row is PassageOwner => row.root !== null);
  };

/** Reads titles from a table with the columns `document` and `title`. */
export const tableTitles =
  (db: Database, table: string): FindTitles =>
  (documents) => {
    const rows = db.all<{ document: number; title: string }>(
      `SELECT document, title FROM ${table}
        WHERE document IN (SELECT value FROM json_each(?))`,
      JSON.stringify(documents),
    );
    return new Map(rows.map(({ document, title }) => [document, title]));
  };

/**
 * For an in-memory index, whose documents are all visible. Each passage is read once and cached:
 * its number is never reused, so the cache stays valid.
 */
export function memoryOwners(db: Database, shelf: string): FindPassageOwners {
  let documents = new Int32Array(0);
  let last = 0;

  return (passages) => {
    const rows = db.all<Pick<PassageOwner, "id" | "document">>(
      `SELECT id, document FROM ${shelf}_passages WHERE id > ? ORDER BY id`,
      last,
    );
    last = rows.at(-1)?.id ?? last;
    documents = growColumn(documents, last + 1);
    for (const { id, document } of rows) documents[id] = document;
    return passages.map((id) => ({ id, document: int32At(documents, id), root: "", path: "" }));
  };
}
