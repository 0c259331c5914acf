import { checksumOfRow } from "../integrity/checksum.ts";
import type { IntegrityCheck } from "../integrity/damage.ts";
import type { Database } from "../storage/database.ts";
import { derivedTables } from "../storage/migrations.ts";

/** The extracted text of files that are not plain text, by the hash of the file. */
export interface ConversionCache {
  find(hash: string): Conversion | undefined;
  store(hash: string, conversion: Conversion): void;
  dropDamaged(): void;
  /** Deletes the rows that no document refers to. */
  dropUnused(): void;
}

/** The text of a file, or the reason why it has none; both are cached. */
type Conversion = { text: string } | { reason: string };

export const conversionTables = derivedTables(
  2,
  `CREATE TABLE converted (
     hash TEXT PRIMARY KEY,
     text TEXT,
     reason TEXT,
     sum INTEGER NOT NULL
   ) WITHOUT ROWID;`,
);

export function openConversionCache(db: Database): ConversionCache {
  return {
    find(hash) {
      const row = db.get<ConversionRow>("SELECT * FROM converted WHERE hash = ?", hash);
      // A damaged row counts as a miss, so the file is converted again.
      if (!row || !isIntact(row)) return undefined;
      return row.text === null ? { reason: row.reason ?? "" } : { text: row.text };
    },
    store(hash, conversion) {
      const [text, reason] =
        "text" in conversion ? [conversion.text, null] : [null, conversion.reason];
      const sum = checksumOfRow([hash, text, reason]);
      db.run("INSERT OR REPLACE INTO converted VALUES (?, ?, ?, ?)", hash, text, reason, sum);
    },
    dropDamaged() {
      for (let row = nextRow(db, ""); row; row = nextRow(db, row.hash)) {
        if (!isIntact(row)) db.run("DELETE FROM converted WHERE hash = ?", row.hash);
      }
    },
    dropUnused() {
      db.run("DELETE FROM converted WHERE hash NOT IN (SELECT hash FROM main.documents)");
    },
  };
}

/** Verifies one row at a time, because texts may be long. */
export const conversionIntegrity: IntegrityCheck = {
  name: "converted",
  verify(db, after, damage) {
    const row = nextRow(db, typeof after === "string" ? after : "");
    if (!row) return { rows: 0 };
    if (!isIntact(row)) damage.broken.add("texts of converted files");
    return { next: row.hash, rows: 1 + Math.floor((row.text?.length ?? 0) / 1_000) };
  },
};

const nextRow = (db: Database, hash: string): ConversionRow | undefined =>
  db.get<ConversionRow>("SELECT * FROM converted WHERE hash > ? ORDER BY hash LIMIT 1", hash);

interface ConversionRow {
  hash: string;
  text: string | null;
  reason: string | null;
  sum: number;
}

const isIntact = ({ hash, text, reason, sum }: ConversionRow): boolean =>
  checksumOfRow([hash, text, reason]) === sum;
