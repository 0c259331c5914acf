import { mkdtempSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openDatabase } from "../storage/database.ts";
import { authoredTables, derivedTables, migrate, type OwnedTables } from "../storage/migrations.ts";
import { checkStoreHealth, markDerivedOutdated, salvageAuthored } from "./store-health.ts";

const owned: OwnedTables[] = [
  { owner: "words", tables: derivedTables(1, "CREATE VIRTUAL TABLE words USING fts5(body);") },
  {
    owner: "stale",
    tables: derivedTables(1, "CREATE TABLE stale_shelves (shelf TEXT PRIMARY KEY);"),
  },
  {
    owner: "letters",
    tables: authoredTables([
      "CREATE TABLE letters (id INTEGER PRIMARY KEY, body TEXT NOT NULL)",
      "CREATE TABLE replies (letter INTEGER NOT NULL REFERENCES letters, body TEXT)",
    ]),
  },
  {
    owner: "parcels",
    tables: authoredTables(
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

test("a healthy store has no problems", () => {
  expect(checkStoreHealth(filledStore(20))).toEqual({ damage: [], missing: [], stale: [] });
});

test("a missing derived table, and an outdated shelf, are named", () => {
  const { path, db } = openStore();
  db.exec("DROP TABLE words; INSERT INTO stale_shelves VALUES ('search')");
  db.close();
  expect(checkStoreHealth(path)).toEqual({ damage: [], missing: ["words"], stale: ["search"] });
});

test.each([
  ["DROP TABLE parcels", ["the table parcels is missing"]],
  ["DELETE FROM migrations", ["the record of its tables is missing"]],
  ["DROP TABLE migrations", ["the record of its tables is missing"]],
])(
  "[core.store.lost-tables] after '%s' the store is damaged, and the rest is copied to a new one",
  (statement, damage) => {
    const { path, db } = openStore();
    db.run("INSERT INTO letters VALUES (1, 'kept')");
    db.exec(statement);
    db.close();

    expect(checkStoreHealth(path)).toMatchObject({ damage });
    const damaged = openDatabase(path);
    expect(() => migrate(damaged, owned)).toThrow(damage[0]);
    damaged.close();
    const { db: repaired } = openStore();
    expect(salvageAuthored(path, repaired)).toBe(1);
    expect(repaired.all("SELECT body FROM letters")).toEqual([{ body: "kept" }]);
  },
);

test("[core.store.lost-tables] a derived table that is missing is created again", () => {
  const { path, db } = openStore();
  db.exec("DROP TABLE stale_shelves");
  db.close();

  const reopened = openDatabase(path);
  migrate(reopened, owned);
  expect(reopened.all("SELECT shelf FROM stale_shelves")).toEqual([]);
});

test("outdated derived tables are rebuilt, and authored ones are kept", () => {
  const path = filledStore(3);
  markDerivedOutdated(path);
  const { db } = openStore(path);
  expect(db.get("SELECT count(*) AS n FROM words")).toEqual({ n: 0 });
  expect(db.get("SELECT count(*) AS n FROM letters")).toEqual({ n: 3 });
  db.close();
});

test("a file that is not a database is damaged, and nothing can be recovered from it", () => {
  const path = join(mkdtempSync(join(tmpdir(), "lectern-store-")), "store.sqlite");
  writeFileSync(
    path,
    "these are no pages of a database, but more than a hundred bytes ".repeat(40),
  );
  expect(checkStoreHealth(path).damage).toEqual([expect.stringMatching("not a database")]);
  const { db } = openStore();
  expect(salvageAuthored(path, db)).toBe(0);
  db.close();
});

test("[core.store.salvage] data that exists only in the store is recovered from both sides of the damage", () => {
  const path = filledStore(400);
  // Overwrites one page in the middle of the text data.
  const bytes = readFileSync(path);
  const at = bytes.indexOf("letter 200 ");
  const page = Math.floor(at / 4096) * 4096;
  writeSync(openSync(path, "r+"), Buffer.alloc(4096, 0xff), 0, 4096, page);
  expect(checkStoreHealth(path).damage.length).toBeGreaterThan(0);

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

test("[core.store.unreadable] a row with damaged JSON is detected, and the other rows are recovered", () => {
  const { path, db: damaged } = openStore();
  const contents = ['{"lamps":1}', '{"lamps":', null, "[]"];
  for (const [at, text] of contents.entries()) {
    damaged.run("INSERT INTO parcels VALUES (?, ?)", at, text);
  }
  damaged.close();

  expect(checkStoreHealth(path).damage).toEqual(["contents of 1 row in parcels cannot be read"]);
  expect(checkStoreHealth(path, "glance").damage).toEqual([]);
  const { db } = openStore();
  expect(salvageAuthored(path, db)).toBe(3);
  expect(db.all<{ id: number }>("SELECT id FROM parcels").map(({ id }) => id)).toEqual([0, 2, 3]);
  db.close();
});
