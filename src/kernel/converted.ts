import { checksumOfRow } from "./checksum.ts";
import type { VerifiedPart } from "./damage.ts";
import type { Database } from "./database.ts";
import { derived } from "./tables.ts";

/** The texts of files that are no plain text, by the hash of the file. */
export interface Converted {
  find(hash: string): Conversion | undefined;
  keep(hash: string, conversion: Conversion): void;
  dropDamaged(): void;
  /** Drops what no document needs any more. */
  dropUnused(): void;
}

/** What a file says, or the reason why nobody can tell; both are worth remembering. */
type Conversion = { text: string } | { reason: string };

export const convertedTables = derived(
  2,
  `CREATE TABLE converted (
     hash TEXT PRIMARY KEY,
     text TEXT,
     reason TEXT,
     sum INTEGER NOT NULL
   ) WITHOUT ROWID;`,
);

export function openConverted(db: Database): Converted {
  return {
    find(hash) {
      const row = db.get<Row>("SELECT * FROM converted WHERE hash = ?", hash);
      // What is damaged is converted again.
      if (!row || !isSound(row)) return undefined;
      return row.text === null ? { reason: row.reason ?? "" } : { text: row.text };
    },
    keep(hash, conversion) {
      const [text, reason] =
        "text" in conversion ? [conversion.text, null] : [null, conversion.reason];
      const sum = checksumOfRow([hash, text, reason]);
      db.run("INSERT OR REPLACE INTO converted VALUES (?, ?, ?, ?)", hash, text, reason, sum);
    },
    dropDamaged() {
      for (let row = rowAfter(db, ""); row; row = rowAfter(db, row.hash)) {
        if (!isSound(row)) db.run("DELETE FROM converted WHERE hash = ?", row.hash);
      }
    },
    dropUnused() {
      db.run("DELETE FROM converted WHERE hash NOT IN (SELECT hash FROM main.documents)");
    },
  };
}

/** One text at a time, since they may be long. */
export const verifiedConverted: VerifiedPart = {
  name: "converted",
  verify(db, after, damage) {
    const row = rowAfter(db, typeof after === "string" ? after : "");
    if (!row) return { rows: 0 };
    if (!isSound(row)) damage.broken.add("texts of converted files");
    return { next: row.hash, rows: 1 + Math.floor((row.text?.length ?? 0) / 1_000) };
  },
};

const rowAfter = (db: Database, hash: string): Row | undefined =>
  db.get<Row>("SELECT * FROM converted WHERE hash > ? ORDER BY hash LIMIT 1", hash);

interface Row {
  hash: string;
  text: string | null;
  reason: string | null;
  sum: number;
}

const isSound = ({ hash, text, reason, sum }: Row): boolean =>
  checksumOfRow([hash, text, reason]) === sum;
