import { openDatabase } from "../database.ts";
import type { Index } from "./contract.ts";
import { ownersInMemory } from "./owners.ts";
import { indexTables, openIndex } from "./sqlite.ts";

/** An index that lies in memory, for what is no document of a collection: it has no roots. */
export function openMemoryIndex(): Index {
  const db = openDatabase(":memory:");
  db.exec(
    `CREATE TABLE documents (id INTEGER PRIMARY KEY, root TEXT NOT NULL, path TEXT NOT NULL);
     ${indexTables("memory")}`,
  );
  const index = openIndex(db, "memory", ownersInMemory(db, "memory"));
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
