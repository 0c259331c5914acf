import { Failure } from "../failure.ts";
import type { Database } from "./database.ts";

/**
 * A shelf's tables. Derived tables are dropped and recreated when their definition changes, and
 * filled again from the documents. Authored tables contain data that exists nowhere else, so they are
 * changed only by appending steps, and a released step is never edited.
 */
export type Tables =
  | { kind: "derived"; version: number; create: string }
  | {
      kind: "authored";
      steps: readonly string[];
      json: readonly string[];
      checksummed: readonly string[];
    }
  | { kind: "none" };

/** Increment `version` to rebuild the tables when only their content changes. */
export const derivedTables = (version: number, create: string): Tables => ({
  kind: "derived",
  version,
  create,
});

/**
 * `json` names the columns that contain JSON, as in `letters.body`, so that damage in them is detected.
 * `checksummed` names the tables whose rows are stored twice (see `checksummed-rows.ts`); each has a
 * column `id INTEGER PRIMARY KEY`.
 */
export const authoredTables = (
  steps: readonly string[],
  json: readonly string[] = [],
  checksummed: readonly string[] = [],
): Tables => ({ kind: "authored", steps, json, checksummed });

export const noTables: Tables = { kind: "none" };

export type OwnedTables = { owner: string; tables: Tables };

/**
 * Brings all tables up to date. Derived tables depend on each other through the documents, so a
 * change in one recreates all of them.
 */
export function migrate(db: Database, all: readonly OwnedTables[]): void {
  const fingerprint = JSON.stringify(all);
  if (isComplete(db, all)) return;
  db.transaction(() => {
    if (isComplete(db, all)) return;
    assertSchemaIntact(db);
    db.exec("CREATE TABLE IF NOT EXISTS migrations (what TEXT PRIMARY KEY, state TEXT NOT NULL)");
    remakeDerived(db, all);
    for (const { owner, tables } of all) {
      if (tables.kind === "authored") applySteps(db, owner, tables.steps);
    }
    const json = all.flatMap(({ tables }) => (tables.kind === "authored" ? tables.json : []));
    writeMigrationRecord(db, "json columns", JSON.stringify(json));
    const checksummed = all.flatMap(({ tables }) =>
      tables.kind === "authored" ? tables.checksummed : [],
    );
    writeMigrationRecord(db, "checksummed tables", JSON.stringify(checksummed));
    writeMigrationRecord(db, "table names", JSON.stringify(tableNames(db)));
    writeMigrationRecord(db, "all tables", fingerprint);
  });
}

const isComplete = (db: Database, all: readonly OwnedTables[]): boolean =>
  isUpToDate(db, all) && missingTables(db).length === 0;

/** Whether the tables have the definitions of this version. */
export const isUpToDate = (db: Database, all: readonly OwnedTables[]): boolean =>
  readMigrationRecord(db, "all tables") === JSON.stringify(all);

function remakeDerived(db: Database, all: readonly OwnedTables[]): void {
  const derived = all.filter(({ tables }) => tables.kind === "derived");
  const fingerprint = JSON.stringify(derived);
  const isCurrent = readMigrationRecord(db, "derived tables") === fingerprint;
  if (isCurrent && missingTables(db).length === 0) return;
  // The names were recorded by the last run, so tables without a definition are dropped too. Drop
  // in reverse order of creation: a table may refer to tables created before it.
  for (const name of derivedTableNames(db).toReversed()) dropIfExists(db, name);
  const names: string[] = [];
  for (const { tables } of derived) {
    if (tables.kind !== "derived") continue;
    db.exec(tables.create);
    for (const [, name] of tables.create.matchAll(/CREATE (?:VIRTUAL )?(?:TABLE|VIEW) (\w+)/g)) {
      if (name) names.push(name);
    }
  }
  writeMigrationRecord(db, "derived names", JSON.stringify(names));
  writeMigrationRecord(db, "derived tables", fingerprint);
}

function dropIfExists(db: Database, name: string): void {
  const existing = db.get<{ type: string }>("SELECT type FROM sqlite_master WHERE name = ?", name);
  if (existing) db.exec(`DROP ${existing.type} ${name}`);
}

function applySteps(db: Database, owner: string, steps: readonly string[]): void {
  const applied = appliedSteps(db, owner);
  if (applied > steps.length) throw homeIsNewer(owner);
  for (const step of steps.slice(applied)) db.exec(step);
  writeMigrationRecord(db, `steps of ${owner}`, String(steps.length));
}

/** Tables, or the record of them, were removed by something else. Treated like SQLITE_CORRUPT. */
class DamagedSchemaError extends Error {
  readonly errcode = 11;
}

/** Throws if authored tables are lost. Derived tables are simply created again. */
function assertSchemaIntact(db: Database): void {
  const [problem] = schemaProblems(db);
  if (problem !== undefined) throw new DamagedSchemaError(problem);
}

/** What is wrong with the tables of a store, except for derived tables that are missing. */
export function schemaProblems(db: Database): string[] {
  const existing = tableNames(db);
  if (existing.length === 0) return [];
  if (readMigrationRecord(db, "derived names") === undefined) {
    return ["the record of its tables is missing"];
  }
  return missingTables(db)
    .filter((name) => !isDerivedTable(db, name))
    .map((name) => `the table ${name} is missing`);
}

/** Whether a table is derived, or an internal table of a derived full-text index. */
export const isDerivedTable = (db: Database, name: string): boolean =>
  derivedTableNames(db).some((derived) => name === derived || name.startsWith(`${derived}_`));

/** Tables that `migrate` created and that no longer exist. */
function missingTables(db: Database): string[] {
  const existing = new Set(tableNames(db));
  const recorded: string[] = JSON.parse(readMigrationRecord(db, "table names") ?? "[]");
  return recorded.filter((name) => !existing.has(name));
}

export const derivedTableNames = (db: Database): string[] =>
  JSON.parse(readMigrationRecord(db, "derived names") ?? "[]");

export const tableNames = (db: Database): string[] =>
  db
    .all<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
    )
    .map(({ name }) => name);

const appliedSteps = (db: Database, owner: string): number =>
  Number(readMigrationRecord(db, `steps of ${owner}`) ?? 0);

const homeIsNewer = (owner: string): Failure =>
  new Failure(
    "conflict",
    "newer-home",
    `The tables of '${owner}' were written by a newer version of Lectern.`,
    {
      hints: ["Update Lectern, or set LECTERN_HOME to another folder."],
    },
  );

/** Why `migrate` would reject a store; undefined if it would not. */
export function migrationProblem(db: Database, all: readonly OwnedTables[]): Failure | undefined {
  const newer = all.find(
    ({ owner, tables }) =>
      tables.kind === "authored" && appliedSteps(db, owner) > tables.steps.length,
  );
  return newer && homeIsNewer(newer.owner);
}

/** The tables whose rows are stored twice. */
export const checksummedTables = (db: Database): string[] =>
  JSON.parse(readMigrationRecord(db, "checksummed tables") ?? "[]");

function readMigrationRecord(db: Database, what: string): string | undefined {
  if (!db.get("SELECT 1 FROM sqlite_master WHERE name = 'migrations'")) return undefined;
  return db.get<{ state: string }>("SELECT state FROM migrations WHERE what = ?", what)?.state;
}

function writeMigrationRecord(db: Database, what: string, state: string): void {
  db.run("INSERT OR REPLACE INTO migrations (what, state) VALUES (?, ?)", what, state);
}
