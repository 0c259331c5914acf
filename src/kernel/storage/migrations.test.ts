import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type Database, openDatabase } from "./database.ts";
import {
  authoredTables,
  derivedTables,
  migrate,
  noTables,
  type OwnedTables,
} from "./migrations.ts";

const top = mkdtempSync(join(tmpdir(), "lectern-tables-"));
afterAll(() => rmSync(top, { recursive: true, force: true }));

const chunks = "CREATE TABLE chunks (id INTEGER PRIMARY KEY, words TEXT);";
const index = (version: number, create = chunks): OwnedTables => ({
  owner: "search",
  tables: derivedTables(version, create),
});
const notes = (...steps: string[]): OwnedTables => ({
  owner: "notes",
  tables: authoredTables(steps),
});
const firstStep = "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT);";

const count = (db: Database, table: string) =>
  db.get<{ count: number }>(`SELECT count(*) AS count FROM ${table}`)?.count;
const exists = (db: Database, name: string) =>
  db.get("SELECT 1 FROM sqlite_master WHERE name = ?", name) !== undefined;

function filled(all: OwnedTables[]): Database {
  const db = openDatabase(":memory:");
  migrate(db, all);
  db.run("INSERT INTO chunks (words) VALUES ('derived')");
  return db;
}

test("tables are created once; the second time nothing happens", () => {
  const db = filled([index(1), { owner: "desk", tables: noTables }]);
  migrate(db, [index(1), { owner: "desk", tables: noTables }]);
  expect(count(db, "chunks")).toBe(1);
});

test("[core.tables.derived] derived tables are rebuilt when their version or definition changes", () => {
  for (const next of [index(2), index(1, `${chunks} CREATE INDEX by_words ON chunks (words);`)]) {
    const db = filled([index(1)]);
    migrate(db, [next]);
    expect(count(db, "chunks")).toBe(0);
  }
});

test("a change in one derived shelf rebuilds the others, since one scan fills them all", () => {
  const other = (version: number): OwnedTables => ({
    owner: "objects",
    tables: derivedTables(version, "CREATE TABLE parsed (id INTEGER);"),
  });
  const db = filled([index(1), other(1)]);
  migrate(db, [index(1), other(2)]);
  expect(count(db, "chunks")).toBe(0);
});

test("an unused derived table is dropped", () => {
  const db = filled([index(1)]);
  migrate(db, [index(1, "CREATE TABLE other (id INTEGER);")]);
  expect(exists(db, "chunks")).toBe(false);
  migrate(db, []);
  expect(exists(db, "other")).toBe(false);
});

test("views, full-text tables and tables that refer to each other are rebuilt without errors", () => {
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

test("[core.tables.authored] authored tables keep their rows, and only new migrations run", () => {
  const db = filled([index(1), notes(firstStep)]);
  db.run("INSERT INTO notes (text) VALUES ('kept')");

  migrate(db, [
    index(2),
    notes(firstStep, "ALTER TABLE notes ADD COLUMN colour TEXT DEFAULT 'red';"),
  ]);

  expect(db.all("SELECT text, colour FROM notes")).toEqual([{ text: "kept", colour: "red" }]);
  expect(count(db, "chunks")).toBe(0);
});

test("a failed step changes nothing", () => {
  const db = filled([index(1), notes(firstStep)]);
  const broken = [index(2), notes(firstStep, "ALTER TABLE notes ADD COLUMN a TEXT;", "NONSENSE;")];

  expect(() => migrate(db, broken)).toThrow();

  expect(count(db, "chunks")).toBe(1);
  expect(db.all("SELECT name FROM pragma_table_info('notes')")).toHaveLength(2);
  migrate(db, [index(1), notes(firstStep)]);
});

test("[core.tables.newer] tables created by a newer Lectern are refused with a message", () => {
  const db = filled([index(1), notes(firstStep, "ALTER TABLE notes ADD COLUMN a TEXT;")]);
  expect(() => migrate(db, [index(1), notes(firstStep)])).toThrow(
    "The tables of 'notes' were written by a newer version of Lectern.",
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
