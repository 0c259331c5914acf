import { copyFileSync, renameSync, rmSync } from "node:fs";
import { pluralise } from "../../text/strings/pluralise.ts";
import { asidePath } from "../files/atomic-file.ts";
import {
  type ColumnValue,
  type Database,
  isCorruptionError,
  openDatabase,
} from "../storage/database.ts";
import {
  derivedTableNames,
  isDerivedTable,
  schemaProblems,
  tableNames,
} from "../storage/migrations.ts";
import { restoreAllChecksummed } from "./checksummed-rows.ts";

/** The problems of a store, found without changing it. */
interface StoreHealth {
  /** Errors reported by SQLite, and rows that cannot be read. */
  damage: string[];
  /** Derived tables that were created but no longer exist. */
  missing: string[];
  /** Shelves that failed to apply a change, so their tables are outdated. */
  stale: string[];
}

/**
 * The quick check only looks for missing tables: reading every page of a large store takes seconds.
 */
export function checkStoreHealth(path: string, look: "whole" | "glance" = "whole"): StoreHealth {
  const health: StoreHealth = { damage: [], missing: [], stale: [] };
  let db: Database | undefined;
  try {
    db = openDatabase(path, { readOnly: true });
    const found = look === "whole" ? db.all<{ quick_check: string }>("PRAGMA quick_check(5)") : [];
    health.damage = found.map((row) => row.quick_check).filter((line) => line !== "ok");
    const existing = new Set(tableNames(db));
    health.damage.push(...schemaProblems(db));
    if (look === "whole" && health.damage.length === 0) health.damage = findUnreadableRows(db);
    health.missing = derivedTableNames(db).filter((name) => !existing.has(name));
    if (existing.has("stale_shelves")) {
      const rows = db.all<{ shelf: string }>("SELECT shelf FROM stale_shelves ORDER BY shelf");
      health.stale = rows.map(({ shelf }) => shelf);
    }
  } catch (error) {
    if (!isCorruptionError(error)) throw error;
    health.damage.push((error as Error).message);
  } finally {
    db?.close();
  }
  return health;
}

/** SQLite pages have no checksums, so `quick_check` does not detect a changed text. */
function findUnreadableRows(db: Database): string[] {
  return jsonColumns(db).flatMap(({ table, column }) => {
    const unreadable = `"${column}" IS NOT NULL AND NOT json_valid("${column}")`;
    const { count } = db.get<{ count: number }>(
      `SELECT count(*) AS count FROM "${table}" WHERE ${unreadable}`,
    ) ?? { count: 0 };
    return count === 0
      ? []
      : [`${column} of ${pluralise(count, "row")} in ${table} cannot be read`];
  });
}

/** Makes the next `migrate` drop and recreate all derived tables. */
export function markDerivedOutdated(path: string): void {
  const db = openDatabase(path);
  try {
    db.run("DELETE FROM migrations WHERE what IN ('all tables', 'derived tables')");
  } finally {
    db.close();
  }
}

/**
 * Copies authored data, such as pending proposals, from a damaged store to a new one. Copies the
 * rows that can still be read and returns their number.
 */
export function salvageAuthored(damaged: string, into: Database): number {
  let from: Database | undefined;
  try {
    const source = openDatabase(damaged, { readOnly: true });
    from = source;
    return into.transaction(() => {
      const tables = authoredTableNames(into);
      const saved = tables.reduce((sum, table) => sum + salvageTable(source, into, table), 0);
      // The copied rows have no checksums yet.
      if (tables.includes("sealed_rows")) restoreAllChecksummed(into);
      return saved;
    });
  } catch (error) {
    if (isCorruptionError(error)) return 0;
    throw error;
  } finally {
    from?.close();
  }
}

/** Reading stops at a damaged page, so a table is read from both ends. */
function salvageTable(from: Database, into: Database, table: string): number {
  const columns = ["rowid", ...columnNames(into, table).map((name) => `"${name}"`)];
  const placeholders = columns.map(() => "?").join(", ");
  const insert = `INSERT OR IGNORE INTO "${table}" (${columns.join(", ")}) VALUES (${placeholders})`;
  const readable = jsonColumns(into)
    .filter((json) => json.table === table)
    .map(({ column }) => `("${column}" IS NULL OR json_valid("${column}")) AND `);
  const select = `SELECT ${columns.map((name, at) => `${name} AS c${at}`).join(", ")}
     FROM "${table}" WHERE ${readable.join("")}`;
  let saved = 0;
  for (const rows of [
    readableRows(from, `${select} rowid > ? ORDER BY rowid LIMIT 1`, -(2n ** 63n)),
    readableRows(from, `${select} rowid < ? ORDER BY rowid DESC LIMIT 1`, 2n ** 63n - 1n),
  ]) {
    // A row whose parent row was lost cannot be inserted.
    for (const row of rows) saved += undefinedOnError(() => into.run(insert, ...row).changes) ?? 0;
  }
  return saved;
}

function* readableRows(db: Database, select: string, start: ColumnValue): Generator<ColumnValue[]> {
  for (let last = start; ; ) {
    const row = undefinedOnError(() => db.get<Record<string, ColumnValue>>(select, last));
    if (!row) return;
    const values = Object.values(row);
    last = values[0] ?? null;
    yield values;
  }
}

function undefinedOnError<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

const authoredTableNames = (db: Database): string[] =>
  tableNames(db).filter((name) => name !== "migrations" && !isDerivedTable(db, name));

const jsonColumns = (db: Database): { table: string; column: string }[] =>
  recordedNames(db, "json columns").map((name) => {
    const [table = "", column = ""] = name.split(".");
    return { table, column };
  });

/** The state that `migrate` recorded. */
function recordedNames(db: Database, what: string): string[] {
  if (!tableNames(db).includes("migrations")) return [];
  const row = db.get<{ state: string }>("SELECT state FROM migrations WHERE what = ?", what);
  return JSON.parse(row?.state ?? "[]");
}

const columnNames = (db: Database, table: string): string[] =>
  db.all<{ name: string }>("SELECT name FROM pragma_table_info(?)", table).map(({ name }) => name);

/** Copies a store and its write-ahead log before a repair in place. */
export function copyStoreAside(path: string): string {
  const aside = asidePath(path);
  for (const suffix of ["", "-wal"]) copyFileSync(path + suffix, aside + suffix);
  return aside;
}

/** Moves a damaged store and its write-ahead log aside, for inspection. */
export function moveStoreAside(path: string): string {
  const aside = asidePath(path);
  renameSync(path, aside);
  for (const suffix of ["-wal", "-shm"]) {
    try {
      renameSync(path + suffix, aside + suffix);
    } catch {
      rmSync(path + suffix, { force: true });
    }
  }
  return aside;
}
