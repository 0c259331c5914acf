import type { Database } from "./database.ts";
import { Failure } from "./failure.ts";

/**
 * A shelf's tables, in one of two ways. Derived ones are dropped and made anew when they change:
 * the ground state fills them again. Authored ones hold what exists nowhere else, so they only
 * ever grow by steps, and a step that shipped is never edited.
 */
export type Tables =
  | { kind: "derived"; version: number; create: string }
  | { kind: "authored"; steps: readonly string[]; json: readonly string[] }
  | { kind: "none" };

/** Raise `version` when the same tables are to be filled in another way. */
export const derived = (version: number, create: string): Tables => ({
  kind: "derived",
  version,
  create,
});

/** `json` names the columns that hold JSON, as in `letters.body`, so that damage in them is found. */
export const authored = (steps: readonly string[], json: readonly string[] = []): Tables => ({
  kind: "authored",
  steps,
  json,
});

export const noTables: Tables = { kind: "none" };

export type Owned = { owner: string; tables: Tables };

/**
 * Brings all tables up to date. Derived tables depend on one another through the documents they
 * were filled from, so a change in one remakes them all; that costs a new index and no thought.
 */
export function migrate(db: Database, all: readonly Owned[]): void {
  const fingerprint = JSON.stringify(all);
  if (isUpToDate(db, all)) return;
  db.transaction(() => {
    db.exec("CREATE TABLE IF NOT EXISTS migrations (what TEXT PRIMARY KEY, state TEXT NOT NULL)");
    if (isUpToDate(db, all)) return;
    remakeDerived(db, all);
    for (const { owner, tables } of all) {
      if (tables.kind === "authored") takeSteps(db, owner, tables.steps);
    }
    const json = all.flatMap(({ tables }) => (tables.kind === "authored" ? tables.json : []));
    record(db, "json columns", JSON.stringify(json));
    record(db, "all tables", fingerprint);
  });
}

/** Whether the tables are those of this version, so that they can be read as such. */
export const isUpToDate = (db: Database, all: readonly Owned[]): boolean =>
  recorded(db, "all tables") === JSON.stringify(all);

function remakeDerived(db: Database, all: readonly Owned[]): void {
  const wanted = all.filter(({ tables }) => tables.kind === "derived");
  const fingerprint = JSON.stringify(wanted);
  if (recorded(db, "derived tables") === fingerprint) return;
  // Names come from the last time, so a table that nobody wants any more goes too.
  // The last made goes first: others may refer to what was made before them, never after.
  const before: string[] = JSON.parse(recorded(db, "derived names") ?? "[]");
  for (const name of before.toReversed()) drop(db, name);
  const names: string[] = [];
  for (const { tables } of wanted) {
    if (tables.kind !== "derived") continue;
    db.exec(tables.create);
    for (const [, name] of tables.create.matchAll(/CREATE (?:VIRTUAL )?(?:TABLE|VIEW) (\w+)/g)) {
      if (name) names.push(name);
    }
  }
  record(db, "derived names", JSON.stringify(names));
  record(db, "derived tables", fingerprint);
}

function drop(db: Database, name: string): void {
  const known = db.get<{ type: string }>("SELECT type FROM sqlite_master WHERE name = ?", name);
  if (known) db.exec(`DROP ${known.type} ${name}`);
}

function takeSteps(db: Database, owner: string, steps: readonly string[]): void {
  const taken = stepsTaken(db, owner);
  if (taken > steps.length) throw newerHome(owner);
  for (const step of steps.slice(taken)) db.exec(step);
  record(db, `steps of ${owner}`, String(steps.length));
}

const stepsTaken = (db: Database, owner: string): number =>
  Number(recorded(db, `steps of ${owner}`) ?? 0);

const newerHome = (owner: string): Failure =>
  new Failure("conflict", "newer-home", `The tables of '${owner}' were kept by a newer Lectern.`, {
    hints: ["Update Lectern, or set LECTERN_HOME to another folder."],
  });

/** Why `migrate` would refuse a store; nothing where it would not. */
export function refusal(db: Database, all: readonly Owned[]): Failure | undefined {
  const newer = all.find(
    ({ owner, tables }) =>
      tables.kind === "authored" && stepsTaken(db, owner) > tables.steps.length,
  );
  return newer && newerHome(newer.owner);
}

function recorded(db: Database, what: string): string | undefined {
  if (!db.get("SELECT 1 FROM sqlite_master WHERE name = 'migrations'")) return undefined;
  return db.get<{ state: string }>("SELECT state FROM migrations WHERE what = ?", what)?.state;
}

function record(db: Database, what: string, state: string): void {
  db.run("INSERT OR REPLACE INTO migrations (what, state) VALUES (?, ?)", what, state);
}
