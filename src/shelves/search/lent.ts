import type { Lending } from "../../kernel/sql/set.ts";

/** The documents of these collections, as a view on the home's store. */
export function lentDocuments(store: string, collections: readonly string[]): Lending {
  const names = collections.map((name) => `'${name.replaceAll("'", "''")}'`).join(", ");
  const documents = `SELECT root AS collection, path, root || '/' || path AS file, hash, size,
      datetime(modified / 1000, 'unixepoch') AS modified
     FROM home.documents WHERE root IN (${names})`;
  return { files: [{ schema: "home", path: store, views: { documents } }] };
}
