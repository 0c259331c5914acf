import { checksumOfRow } from "../integrity/checksum.ts";
import type { IntegrityCheck } from "../integrity/damage.ts";
import { derivedTables } from "../storage/migrations.ts";
import { runSteps } from "../storage/sqlite-store.ts";
import { get, run, type Steps } from "../storage/steps.ts";

/** The extracted text of files that are not plain text, by the hash of the file. */
export interface ConversionCache {
  find(hash: string): Steps<Conversion | undefined>;
  store(hash: string, conversion: Conversion): Steps<void>;
  dropDamaged(): Steps<void>;
  /** Deletes the rows that no document refers to. */
  dropUnused(): Steps<void>;
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

export const openConversionCache = (): ConversionCache => ({
  *find(hash) {
    const row = yield* get<ConversionRow>("SELECT * FROM converted WHERE hash = ?", hash);
    // A damaged row counts as a miss, so the file is converted again.
    if (!row || !isIntact(row)) return undefined;
    return row.text === null ? { reason: row.reason ?? "" } : { text: row.text };
  },
  *store(hash, conversion) {
    const [text, reason] =
      "text" in conversion ? [conversion.text, null] : [null, conversion.reason];
    yield* run(
      `INSERT INTO converted (hash, text, reason, sum) VALUES (?, ?, ?, ?)
         ON CONFLICT (hash) DO UPDATE
            SET text = excluded.text, reason = excluded.reason, sum = excluded.sum`,
      hash,
      text,
      reason,
      checksumOfRow([hash, text, reason]),
    );
  },
  *dropDamaged() {
    for (let row = yield* nextRow(""); row; row = yield* nextRow(row.hash)) {
      if (!isIntact(row)) yield* run("DELETE FROM converted WHERE hash = ?", row.hash);
    }
  },
  *dropUnused() {
    yield* run("DELETE FROM converted WHERE hash NOT IN (SELECT hash FROM main.documents)");
  },
});

/** Verifies one row at a time, because texts may be long. */
export const conversionIntegrity: IntegrityCheck = {
  name: "converted",
  verify(db, after, damage) {
    const row = runSteps(db, nextRow(typeof after === "string" ? after : ""));
    if (!row) return { rows: 0 };
    if (!isIntact(row)) damage.broken.add("texts of converted files");
    return { next: row.hash, rows: 1 + Math.floor((row.text?.length ?? 0) / 1_000) };
  },
};

const nextRow = (hash: string): Steps<ConversionRow | undefined> =>
  get("SELECT * FROM converted WHERE hash > ? ORDER BY hash LIMIT 1", hash);

interface ConversionRow {
  hash: string;
  text: string | null;
  reason: string | null;
  sum: number;
}

const isIntact = ({ hash, text, reason, sum }: ConversionRow): boolean =>
  checksumOfRow([hash, text, reason]) === sum;
