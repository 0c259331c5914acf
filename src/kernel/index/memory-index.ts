import { openDatabase } from "../storage/database.ts";
import { memoryOwners } from "./passage-owners.ts";
import type { SyncSearchIndex } from "./search-index.ts";
import { openSqliteIndex, searchIndexTables } from "./sqlite-index.ts";

/** An in-memory index for texts that are not documents of a collection. It has no roots. */
export function openMemoryIndex(): SyncSearchIndex {
  const db = openDatabase(":memory:");
  db.exec(
    `CREATE TABLE documents (id INTEGER PRIMARY KEY, root TEXT NOT NULL, path TEXT NOT NULL);
     ${searchIndexTables("memory")}`,
  );
  const index = openSqliteIndex(db, "memory", memoryOwners(db, "memory"));
  return {
    ...index,
    change: (work) =>
      index.change(({ put, remove }) =>
        work({
          put(document, entry) {
            db.run(
              "INSERT OR REPLACE INTO documents (id, root, path) VALUES (?, '', ?)",
              document,
              entry.path,
            );
            put(document, entry);
          },
          remove(document) {
            db.run("DELETE FROM documents WHERE id = ?", document);
            remove(document);
          },
        }),
      ),
  };
}
