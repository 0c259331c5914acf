import type { SqlTables } from "../../kernel/sql/dataset.ts";

/** The documents of these collections as an SQL view of the store. */
export function documentSqlTables(store: string, collections: readonly string[]): SqlTables {
  const names = collections.map((name) => `'${name.replaceAll("'", "''")}'`).join(", ");
  const documents = `SELECT root AS collection, path, root || '/' || path AS file, hash, size,
      datetime(modified / 1000, 'unixepoch') AS modified
     FROM home.documents WHERE root IN (${names})`;
  return { files: [{ schema: "home", path: store, views: { documents } }] };
}
