import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type Database, openDatabase } from "./database.ts";
import { authored, derived, migrate, noTables, type Owned } from "./tables.ts";

const top = mkdtempSync(join(tmpdir(), "lectern-tables-"));
afterAll(() => rmSync(top, { recursive: true, force: true }));

const chunks = "CREATE TABLE chunks (id INTEGER PRIMARY KEY, words TEXT);";
const index = (version: number, create = chunks): Owned => ({
  owner: "search",
  tables: derived(version, create),
});
const notes = (...steps: string[]): Owned => ({ owner: "notes", tables: authored(steps) });
const firstStep = "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT);";

const count = (db: Database, table: string) =>
  db.get<{ count: number }>(`SELECT count(*) AS count FROM ${table}`)?.count;
const exists = (db: Database, name: string) =>
  db.get("SELECT 1 FROM sqlite_master WHERE name = ?", name) !== undefined;

function filled(all: Owned[]): Database {
  const db = openDatabase(":memory:");
  migrate(db, all);
  db.run("INSERT INTO chunks (words) VALUES ('derived')");
  return db;
}

test("tables are made once; the second time nothing happens", () => {
  const db = filled([index(1), { owner: "desk", tables: noTables }]);
  migrate(db, [index(1), { owner: "desk", tables: noTables }]);
  expect(count(db, "chunks")).toBe(1);
});

test("[house.tables.derived] derived tables are made anew when their version or text changes", () => {
  for (const next of [index(2), index(1, `${chunks} CREATE INDEX by_words ON chunks (words);`)]) {
    const db = filled([index(1)]);
    migrate(db, [next]);
    expect(count(db, "chunks")).toBe(0);
  }
});

test("a change of one derived shelf remakes the others, since all are filled by one reading", () => {
  const other = (version: number): Owned => ({
    owner: "objects",
    tables: derived(version, "CREATE TABLE parsed (id INTEGER);"),
  });
  const db = filled([index(1), other(1)]);
  migrate(db, [index(1), other(2)]);
  expect(count(db, "chunks")).toBe(0);
});

test("a derived table that nobody wants any more goes away", () => {
  const db = filled([index(1)]);
  migrate(db, [index(1, "CREATE TABLE other (id INTEGER);")]);
  expect(exists(db, "chunks")).toBe(false);
  migrate(db, []);
  expect(exists(db, "other")).toBe(false);
});

test("views, full-text tables and tables that refer to one another are remade without complaint", () => {
  const create = `
    CREATE TABLE chunks (id INTEGER PRIMARY KEY, words TEXT);
    CREATE TABLE marks (id INTEGER PRIMARY KEY, chunk INTEGER NOT NULL REFERENCES chunks (id));
    CREATE VIRTUAL TABLE finding USING fts5 (words, content='chunks', content_rowid='id');
    CREATE TRIGGER after_chunk AFTER INSERT ON chunks BEGIN
      INSERT INTO finding (rowid, words) VALUES (new.id, new.words);
    END;
    CREATE VIEW marked AS SELECT chunks.* FROM chunks JOIN marks ON marks.chunk = chunks.id;`;
  const db = filled([index(1, create)]);
  db.run("INSERT INTO marks (chunk) VALUES (1)");
  expect(db.all("SELECT rowid FROM finding WHERE finding MATCH 'derived'")).toHaveLength(1);
  expect(count(db, "marked")).toBe(1);

  migrate(db, [index(2, create)]);

  for (const table of ["chunks", "marks", "finding", "marked"]) expect(count(db, table)).toBe(0);
});

test("[house.tables.authored] authored tables keep what they hold and take only the new steps", () => {
  const db = filled([index(1), notes(firstStep)]);
  db.run("INSERT INTO notes (text) VALUES ('kept')");

  migrate(db, [
    index(2),
    notes(firstStep, "ALTER TABLE notes ADD COLUMN colour TEXT DEFAULT 'red';"),
  ]);

  expect(db.all("SELECT text, colour FROM notes")).toEqual([{ text: "kept", colour: "red" }]);
  expect(count(db, "chunks")).toBe(0);
});

test("a step that fails changes nothing at all", () => {
  const db = filled([index(1), notes(firstStep)]);
  const broken = [index(2), notes(firstStep, "ALTER TABLE notes ADD COLUMN a TEXT;", "NONSENSE;")];

  expect(() => migrate(db, broken)).toThrow();

  expect(count(db, "chunks")).toBe(1);
  expect(db.all("SELECT name FROM pragma_table_info('notes')")).toHaveLength(2);
  migrate(db, [index(1), notes(firstStep)]);
});

test("[house.tables.newer] tables that a newer Lectern made are refused, and say so", () => {
  const db = filled([index(1), notes(firstStep, "ALTER TABLE notes ADD COLUMN a TEXT;")]);
  expect(() => migrate(db, [index(1), notes(firstStep)])).toThrow(
    "The tables of 'notes' were kept by a newer Lectern.",
  );
  expect(count(db, "chunks")).toBe(1);
});

test("two connections that migrate one after the other agree", () => {
  const path = join(top, "shared.sqlite");
  const [first, second] = [openDatabase(path), openDatabase(path)];
  migrate(first, [index(1), notes(firstStep)]);
  first.run("INSERT INTO chunks (words) VALUES ('x')");
  migrate(second, [index(1), notes(firstStep)]);

  expect(count(second, "chunks")).toBe(1);
  first.close();
  second.close();
});
