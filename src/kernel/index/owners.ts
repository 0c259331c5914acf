import { grown } from "../../text/column.ts";
import type { Database } from "../database.ts";
import { indexDamaged } from "./soundness.ts";

/** A passage, the document it belongs to, and where that lies. */
export interface Owned {
  id: number;
  document: number;
  root: string;
  path: string;
}

/** Finds the documents of passages; those of documents that may not be seen are left out. */
export type Owners = (passages: readonly number[]) => Owned[];

/** Documents are asked through their own table, which may show a part of them only. */
export const ownersInTable =
  (db: Database, shelf: string): Owners =>
  (passages) => {
    const rows = db.all<{ [Key in keyof Owned]: Owned[Key] | null }>(
      `SELECT passage.id, passage.document, documents.root, documents.path
         FROM json_each(?) AS wanted
         LEFT JOIN ${shelf}_passages AS passage ON passage.id = wanted.value
         LEFT JOIN documents ON documents.id = passage.document`,
      JSON.stringify(passages),
    );
    // Postings name only passages that were put and not removed.
    if (rows.some(({ id }) => id === null)) throw indexDamaged();
    return rows.filter((row): row is Owned => row.root !== null);
  };

/**
 * The same for an index that nobody shares and whose documents are all to be seen: each passage is
 * asked for once in its life. Its number is never given twice, so what was learned stays true.
 */
export function ownersInMemory(db: Database, shelf: string): Owners {
  let documents = new Int32Array(0);
  let last = 0;

  return (passages) => {
    const rows = db.all<Pick<Owned, "id" | "document">>(
      `SELECT id, document FROM ${shelf}_passages WHERE id > ? ORDER BY id`,
      last,
    );
    last = rows.at(-1)?.id ?? last;
    documents = grown(documents, last + 1);
    for (const { id, document } of rows) documents[id] = document;
    return passages.map((id) => ({ id, document: documents[id] ?? 0, root: "", path: "" }));
  };
}
