import type { Database } from "./database.ts";
import { derived } from "./tables.ts";

/** The texts of files that are no plain text, by the hash of the file. */
export interface Converted {
  find(hash: string): Conversion | undefined;
  keep(hash: string, conversion: Conversion): void;
  /** Drops what no document needs any more. */
  dropUnused(): void;
}

/** What a file says, or the reason why nobody can tell; both are worth remembering. */
type Conversion = { text: string } | { reason: string };

export const convertedTables = derived(
  1,
  "CREATE TABLE converted (hash TEXT PRIMARY KEY, text TEXT, reason TEXT) WITHOUT ROWID;",
);

export function openConverted(db: Database): Converted {
  return {
    find(hash) {
      const row = db.get<{ text: string | null; reason: string | null }>(
        "SELECT text, reason FROM converted WHERE hash = ?",
        hash,
      );
      if (!row) return undefined;
      return row.text === null ? { reason: row.reason ?? "" } : { text: row.text };
    },
    keep(hash, conversion) {
      const [text, reason] =
        "text" in conversion ? [conversion.text, null] : [null, conversion.reason];
      db.run("INSERT OR REPLACE INTO converted VALUES (?, ?, ?)", hash, text, reason);
    },
    dropUnused() {
      db.run("DELETE FROM converted WHERE hash NOT IN (SELECT hash FROM main.documents)");
    },
  };
}
