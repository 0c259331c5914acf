import { copyFileSync, renameSync, rmSync } from "node:fs";
import { counted } from "../text/counted.ts";
import { type Database, isCorrupt, openDatabase, type Value } from "./database.ts";
import { asideOf } from "./kept-file.ts";
import { restoreSealed } from "./sealed-rows.ts";

/** What is wrong with a store, found without changing it. */
interface StoreHealth {
  /** SQLite's own complaints about the file, and rows that cannot be read. */
  damage: string[];
  /** Derived tables that were made and are gone. */
  missing: string[];
  /** Shelves that could not take in a change, so that their tables lag behind. */
  stale: string[];
}

/** At a glance only the tables are counted: to read every page takes seconds with a large store. */
export function examineStore(path: string, look: "whole" | "glance" = "whole"): StoreHealth {
  const health: StoreHealth = { damage: [], missing: [], stale: [] };
  let db: Database | undefined;
  try {
    db = openDatabase(path, { readOnly: true });
    const found = look === "whole" ? db.all<{ quick_check: string }>("PRAGMA quick_check(5)") : [];
    health.damage = found.map((row) => row.quick_check).filter((line) => line !== "ok");
    if (look === "whole" && health.damage.length === 0) health.damage = unreadableRows(db);
    const there = new Set(tableNames(db));
    health.missing = derivedNames(db).filter((name) => !there.has(name));
    if (there.has("stale_shelves")) {
      const rows = db.all<{ shelf: string }>("SELECT shelf FROM stale_shelves ORDER BY shelf");
      health.stale = rows.map(({ shelf }) => shelf);
    }
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    health.damage.push((error as Error).message);
  } finally {
    db?.close();
  }
  return health;
}

/** Pages have no sums, so SQLite has nothing against a text that was changed within one. */
function unreadableRows(db: Database): string[] {
  return jsonColumns(db).flatMap(({ table, column }) => {
    const unreadable = `"${column}" IS NOT NULL AND NOT json_valid("${column}")`;
    const { count } = db.get<{ count: number }>(
      `SELECT count(*) AS count FROM "${table}" WHERE ${unreadable}`,
    ) ?? { count: 0 };
    return count === 0 ? [] : [`${column} of ${counted(count, "row")} in ${table} cannot be read`];
  });
}

/** From now on `migrate` takes the derived tables for outdated: it drops them and makes them anew. */
export function outdateDerived(path: string): void {
  const db = openDatabase(path);
  try {
    db.run("DELETE FROM migrations WHERE what IN ('all tables', 'derived tables')");
  } finally {
    db.close();
  }
}

/**
 * Carries what exists nowhere else, such as proposals that wait for an answer, from a damaged
 * store into a new one. Takes the rows that can still be read; gives their number.
 */
export function salvageAuthored(damaged: string, into: Database): number {
  let from: Database | undefined;
  try {
    const source = openDatabase(damaged, { readOnly: true });
    from = source;
    return into.transaction(() => {
      const tables = authoredNames(into);
      const saved = tables.reduce((sum, table) => sum + salvageTable(source, into, table), 0);
      // Rows that were carried over have no checksums yet.
      if (tables.includes("sealed_rows")) restoreSealed(into);
      return saved;
    });
  } catch (error) {
    if (isCorrupt(error)) return 0;
    throw error;
  } finally {
    from?.close();
  }
}

/** A damaged page stops reading, so a table is read from both ends. */
function salvageTable(from: Database, into: Database, table: string): number {
  const columns = ["rowid", ...columnNames(into, table).map((name) => `"${name}"`)];
  const places = columns.map(() => "?").join(", ");
  const insert = `INSERT OR IGNORE INTO "${table}" (${columns.join(", ")}) VALUES (${places})`;
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
    // A row whose parent was lost is lost with it.
    for (const row of rows) saved += tryTo(() => into.run(insert, ...row).changes) ?? 0;
  }
  return saved;
}

function* readableRows(db: Database, select: string, start: Value): Generator<Value[]> {
  for (let last = start; ; ) {
    const row = tryTo(() => db.get<Record<string, Value>>(select, last));
    if (!row) return;
    const values = Object.values(row);
    last = values[0] ?? null;
    yield values;
  }
}

function tryTo<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Neither derived, nor ours to keep count, nor the inside of a full-text table. */
function authoredNames(db: Database): string[] {
  const derived = derivedNames(db);
  const isInside = (name: string) =>
    derived.some((owner) => name === owner || name.startsWith(`${owner}_`));
  return tableNames(db).filter((name) => name !== "migrations" && !isInside(name));
}

function tableNames(db: Database): string[] {
  const rows = db.all<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
  );
  return rows.map(({ name }) => name);
}

const derivedNames = (db: Database): string[] => namesKept(db, "derived names");

const jsonColumns = (db: Database): { table: string; column: string }[] =>
  namesKept(db, "json columns").map((name) => {
    const [table = "", column = ""] = name.split(".");
    return { table, column };
  });

/** What `migrate` has written down of the tables. */
function namesKept(db: Database, what: string): string[] {
  if (!tableNames(db).includes("migrations")) return [];
  const row = db.get<{ state: string }>("SELECT state FROM migrations WHERE what = ?", what);
  return JSON.parse(row?.state ?? "[]");
}

const columnNames = (db: Database, table: string): string[] =>
  db.all<{ name: string }>("SELECT name FROM pragma_table_info(?)", table).map(({ name }) => name);

/** Keeps a store and its log as they are, while it is mended in its place. */
export function copyStoreAside(path: string): string {
  const aside = asideOf(path);
  for (const suffix of ["", "-wal"]) copyFileSync(path + suffix, aside + suffix);
  return aside;
}

/** Keeps a damaged store for whoever wants to look at it. Its own log belongs to it. */
export function putStoreAside(path: string): string {
  const aside = asideOf(path);
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
