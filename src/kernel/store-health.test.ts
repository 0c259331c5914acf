import { mkdtempSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openDatabase } from "./database.ts";
import { examineStore, outdateDerived, salvageAuthored } from "./store-health.ts";
import { authored, derived, migrate, type Owned } from "./tables.ts";

const owned: Owned[] = [
  { owner: "words", tables: derived(1, "CREATE VIRTUAL TABLE words USING fts5(body);") },
  { owner: "stale", tables: derived(1, "CREATE TABLE stale_shelves (shelf TEXT PRIMARY KEY);") },
  {
    owner: "letters",
    tables: authored([
      "CREATE TABLE letters (id INTEGER PRIMARY KEY, body TEXT NOT NULL)",
      "CREATE TABLE replies (letter INTEGER NOT NULL REFERENCES letters, body TEXT)",
    ]),
  },
  {
    owner: "parcels",
    tables: authored(
      ["CREATE TABLE parcels (id INTEGER PRIMARY KEY, contents TEXT)"],
      ["parcels.contents"],
    ),
  },
];

function openStore(path = join(mkdtempSync(join(tmpdir(), "lectern-store-")), "store.sqlite")) {
  const db = openDatabase(path);
  migrate(db, owned);
  return { path, db };
}

function filledStore(letters: number) {
  const { path, db } = openStore();
  db.transaction(() => {
    for (let id = 1; id <= letters; id++) {
      db.run("INSERT INTO letters VALUES (?, ?)", id, `letter ${id} `.repeat(30));
      db.run("INSERT INTO words (body) VALUES (?)", `word${id}`);
    }
    db.run("INSERT INTO replies VALUES (1, 'yes'), (2, NULL)");
  });
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
  return path;
}

test("a good store has nothing wrong with it", () => {
  expect(examineStore(filledStore(20))).toEqual({ damage: [], missing: [], stale: [] });
});

test("a derived table that is gone, and a shelf that lags, are named", () => {
  const { path, db } = openStore();
  db.exec("DROP TABLE words; INSERT INTO stale_shelves VALUES ('search')");
  db.close();
  expect(examineStore(path)).toEqual({ damage: [], missing: ["words"], stale: ["search"] });
});

test("outdated derived tables are made anew, and authored ones stay", () => {
  const path = filledStore(3);
  outdateDerived(path);
  const { db } = openStore(path);
  expect(db.get("SELECT count(*) AS n FROM words")).toEqual({ n: 0 });
  expect(db.get("SELECT count(*) AS n FROM letters")).toEqual({ n: 3 });
  db.close();
});

test("a file that is no database is damaged, and nothing can be saved from it", () => {
  const path = join(mkdtempSync(join(tmpdir(), "lectern-store-")), "store.sqlite");
  writeFileSync(
    path,
    "these are no pages of a database, but more than a hundred bytes ".repeat(40),
  );
  expect(examineStore(path).damage).toEqual([expect.stringMatching("not a database")]);
  const { db } = openStore();
  expect(salvageAuthored(path, db)).toBe(0);
  db.close();
});

test("[house.store.salvage] what exists nowhere else is carried over, from both sides of the damage", () => {
  const path = filledStore(400);
  // One page in the middle of the letters is overwritten.
  const bytes = readFileSync(path);
  const at = bytes.indexOf("letter 200 ");
  const page = Math.floor(at / 4096) * 4096;
  writeSync(openSync(path, "r+"), Buffer.alloc(4096, 0xff), 0, 4096, page);
  expect(examineStore(path).damage.length).toBeGreaterThan(0);

  const { db } = openStore();
  const saved = salvageAuthored(path, db);

  const letters = db.all<{ id: number }>("SELECT id FROM letters ORDER BY id").map(({ id }) => id);
  expect(letters.length).toBeGreaterThan(370);
  expect(letters.length).toBeLessThan(400);
  expect([letters[0], letters.at(-1)]).toEqual([1, 400]);
  expect(db.all("SELECT letter, body FROM replies")).toEqual([
    { letter: 1, body: "yes" },
    { letter: 2, body: null },
  ]);
  expect(saved).toBe(letters.length + 2);
  expect(db.get("SELECT count(*) AS n FROM words")).toEqual({ n: 0 });
  db.close();
});

test("[house.store.unreadable] a row whose JSON was damaged is found, and the others are carried over", () => {
  const { path, db: damaged } = openStore();
  const contents = ['{"lamps":1}', '{"lamps":', null, "[]"];
  for (const [at, text] of contents.entries()) {
    damaged.run("INSERT INTO parcels VALUES (?, ?)", at, text);
  }
  damaged.close();

  expect(examineStore(path).damage).toEqual(["contents of 1 row in parcels cannot be read"]);
  expect(examineStore(path, "glance").damage).toEqual([]);
  const { db } = openStore();
  expect(salvageAuthored(path, db)).toBe(3);
  expect(db.all<{ id: number }>("SELECT id FROM parcels").map(({ id }) => id)).toEqual([0, 2, 3]);
  db.close();
});
