import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openRawDatabase, type RawDatabase } from "../storage/database.ts";
import { createConnectionGuard } from "./connection-guard.ts";
import { openForeignDatabase } from "./foreign-database.ts";

/** A database with some rows, and its writer, which may change all of it. */
function foreignDatabase() {
  const folder = mkdtempSync(join(tmpdir(), "lectern-foreign-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "theirs.db");
  const theirs = openRawDatabase(path, { defensive: false });
  onTestFinished(() => theirs.close());
  theirs.exec("CREATE TABLE talks (a); CREATE TABLE marks (a); INSERT INTO talks VALUES (1)");
  return { folder, path, theirs };
}

/** The same file behind the guard, without a schema check. */
function guarded() {
  const made = foreignDatabase();
  const raw = openRawDatabase(made.path, { defensive: true });
  onTestFinished(() => raw.close());
  const guard = createConnectionGuard();
  guard.prepare(raw);
  return { ...made, raw, guard };
}

/** The rows of a statement, or the error message. */
function outcomeOf(raw: RawDatabase, sql: string): unknown {
  try {
    return raw.prepare(sql).all();
  } catch (error) {
    return (error as Error).message;
  }
}

test("[core.foreign.guard] a trigger created later does not run, and its statement is refused", () => {
  const { raw, theirs } = guarded();
  raw.exec("INSERT INTO talks VALUES (2)");
  theirs.exec("CREATE TRIGGER t AFTER INSERT ON talks BEGIN INSERT INTO marks VALUES (1); END");

  // If the driver sets limits, no trigger may run at all; otherwise its effects are denied.
  const refused = expect.stringMatching(/^not authorized$|^triggers nested too deep$/);
  expect(outcomeOf(raw, "INSERT INTO talks VALUES (3)")).toEqual(refused);
  theirs.exec(`DROP TRIGGER t;
    CREATE TRIGGER t AFTER INSERT ON talks BEGIN SELECT sum(a) FROM talks; END`);
  expect(outcomeOf(raw, "INSERT INTO talks VALUES (3)")).toEqual(refused);
  expect(outcomeOf(raw, "SELECT a FROM talks")).toEqual([{ a: 1 }, { a: 2 }]);
  expect(outcomeOf(raw, "SELECT a FROM marks")).toEqual([]);
});

test("[core.foreign.guard] a view created later reaches no function, and no table outside the file", () => {
  const { raw, theirs } = guarded();
  const bodies = {
    library: "SELECT load_extension('x')",
    tokenizer: "SELECT fts3_tokenizer('simple')",
    pragma: "SELECT * FROM pragma_database_list",
    pages: "SELECT * FROM dbstat",
  };
  for (const [name, body] of Object.entries(bodies)) {
    theirs.exec(`CREATE VIEW ${name} AS ${body}`);
    expect([name, outcomeOf(raw, `SELECT * FROM ${name}`)]).toEqual([
      name,
      expect.stringMatching(/^unsafe use of|^not authorized|^no such function/),
    ]);
  }
  theirs.exec("CREATE VIEW plain AS SELECT a + 1 AS b FROM talks");
  expect(outcomeOf(raw, "SELECT * FROM plain")).toEqual([{ b: 2 }]);
});

test("[core.foreign.guard] a statement cannot attach a file, create a trigger or load code", () => {
  const { folder, raw } = guarded();
  const other = join(folder, "other.db");
  for (const sql of [
    `ATTACH '${other}' AS other`,
    "DETACH main",
    `VACUUM INTO '${other}'`,
    "CREATE TRIGGER t AFTER INSERT ON talks BEGIN SELECT 1; END",
    "CREATE TEMP TRIGGER t AFTER INSERT ON talks BEGIN SELECT 1; END",
    "CREATE VIRTUAL TABLE words USING fts5(a)",
    "SELECT load_extension('x')",
    "SELECT FTS3_Tokenizer('simple')",
  ]) {
    expect([sql, outcomeOf(raw, sql)]).toEqual([
      sql,
      expect.stringMatching(/not authorized|authorization denied/),
    ]);
  }
  expect(existsSync(other)).toBe(false);
});

test("[core.foreign.guard] a copy can be written only while it is created", () => {
  const { folder, raw, guard } = guarded();
  const [first, second] = [join(folder, "first.db"), join(folder, "second.db")];
  guard.copying(() => raw.exec(`VACUUM INTO '${first}'`));
  expect(existsSync(first)).toBe(true);
  expect(() => raw.exec(`VACUUM INTO '${second}'`)).toThrow(/authoriz/);
  expect(existsSync(second)).toBe(false);
});

test("[core.foreign.guard] the schema is untrusted and not writable as rows, and no pragma changes that", () => {
  const { raw, theirs } = guarded();
  for (const sql of [
    "PRAGMA trusted_schema = ON",
    "PRAGMA writable_schema = ON",
    "PRAGMA Writable_Schema = RESET",
    "PRAGMA journal_mode = OFF",
    "PRAGMA mmap_size = 1000000",
    "PRAGMA temp_store_directory = '/'",
    "SELECT * FROM pragma_database_list",
  ]) {
    expect([sql, outcomeOf(raw, sql)]).toEqual([sql, expect.stringMatching(/authoriz/)]);
  }
  const rewritten = outcomeOf(raw, "UPDATE sqlite_schema SET sql = 'CREATE TABLE talks (b)'");
  expect(rewritten).toBe("table sqlite_master may not be modified");
  theirs.exec("CREATE VIEW deep AS SELECT * FROM pragma_function_list");
  expect(outcomeOf(raw, "SELECT * FROM deep")).toContain("unsafe use of virtual table");
  expect(outcomeOf(raw, "PRAGMA schema_version")).toEqual([{ schema_version: expect.any(Number) }]);
});

test("[core.foreign.rows] a database over the row limit is refused with the limit, when opened and later", () => {
  const { path, theirs } = foreignDatabase();
  theirs.exec(`INSERT INTO marks VALUES (1), (2);
    CREATE TABLE "odd ""name" (a PRIMARY KEY) WITHOUT ROWID`);
  const open = (maxRows?: number) => {
    const rules = { views: [], rejectHardLinks: false };
    const db = openForeignDatabase(path, { rules, ...(maxRows !== undefined && { maxRows }) });
    onTestFinished(() => db.close());
    return db;
  };
  const refusal = (most: number) =>
    expect.objectContaining({
      code: "unsafe-database",
      message: `It contains more than ${most} rows, so this database is not opened.`,
    });
  expect(() => open(2)).toThrow(refusal(2));

  const db = open(3);
  const read = () => db.all("SELECT a FROM talks");
  expect(read()).toEqual([{ a: 1 }]);
  theirs.exec(`INSERT INTO "odd ""name" VALUES (1)`);
  for (let again = 0; again < 2; again++) expect(read).toThrow(refusal(3));
  expect(() => db.run("INSERT INTO talks VALUES (2)")).toThrow(refusal(3));
  theirs.exec(`DELETE FROM "odd ""name"`);
  expect(read()).toEqual([{ a: 1 }]);
  expect(open().all("SELECT a FROM marks")).toEqual([{ a: 1 }, { a: 2 }]);
});

test("[core.foreign.rows] a damaged table does not affect the others", () => {
  const { path, theirs } = foreignDatabase();
  const { page } = theirs
    .prepare("SELECT rootpage AS page FROM sqlite_schema WHERE name = 'talks'")
    .get() as { page: number };
  const { page_size } = theirs.prepare("PRAGMA page_size").get() as { page_size: number };
  const file = openSync(path, "r+");
  writeSync(file, Buffer.alloc(page_size, 7), 0, page_size, (page - 1) * page_size);
  closeSync(file);

  const db = openForeignDatabase(path, { rules: { views: [], rejectHardLinks: false } });
  onTestFinished(() => db.close());
  expect(db.all("SELECT a FROM marks")).toEqual([]);
  expect(() => db.all("SELECT a FROM talks")).toThrow(/malformed/);
});
