import type { Database } from "../../kernel/database.ts";
import type { Document } from "../../kernel/documents.ts";

/** A document with the title that the index read off it. */
export type TitledDocument = Document & { title: string };

const titled = `
  SELECT documents.id, root, path, hash, size, modified, title
    FROM documents JOIN search_documents ON search_documents.document = documents.id`;

export function saveTitle(db: Database, document: number, title: string): void {
  db.run(
    "INSERT OR REPLACE INTO search_documents (document, title) VALUES (?, ?)",
    document,
    title,
  );
}

export function deleteTitle(db: Database, document: number): void {
  db.run("DELETE FROM search_documents WHERE document = ?", document);
}

export function documentWithId(db: Database, id: number): TitledDocument | undefined {
  return db.get(`${titled} WHERE documents.id = ?`, id);
}

export function documentAt(db: Database, root: string, path: string): TitledDocument | undefined {
  return db.get(`${titled} WHERE root = ? AND path = ?`, root, path);
}

/** Documents whose `collection/path` ends with these words, cut at a slash. */
export function documentsEndingWith(db: Database, suffix: string): TitledDocument[] {
  return db.all(
    `${titled} WHERE path = ?1 OR substr('/' || path, -length(?1) - 1) = '/' || ?1
     ORDER BY root, path LIMIT 20`,
    suffix,
  );
}

/** Documents whose content's hash begins with these digits, one for each content. */
export function documentsByHash(db: Database, prefix: string): TitledDocument[] {
  return db.all(
    `${titled} WHERE hash >= ?1 AND hash < ?1 || 'g' GROUP BY hash ORDER BY root, path LIMIT 20`,
    prefix,
  );
}

/** The shortest beginning of a hash, of six digits or more, that no other content shares. */
export function shortHash(db: Database, hash: string): string {
  for (let length = 6; length < hash.length; length++) {
    const prefix = hash.slice(0, length);
    const other = db.get(
      "SELECT 1 FROM documents WHERE hash >= ?1 AND hash < ?1 || 'g' AND hash <> ?2",
      prefix,
      hash,
    );
    if (!other) return prefix;
  }
  return hash;
}
