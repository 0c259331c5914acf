import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { childSource } from "../../tests/child-source.ts";
import { type Database, isBusy, isCorrupt, openDatabase, refuseOldSqlite } from "./database.ts";

const top = mkdtempSync(join(tmpdir(), "lectern-database-"));
afterAll(() => rmSync(top, { recursive: true, force: true }));

let counter = 0;
const freshPath = () => join(top, `${counter++}.sqlite`);

function notesIn(path = ":memory:"): Database {
  const db = openDatabase(path);
  db.exec("CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)");
  return db;
}

const write = (db: Database, text: string) => db.run("INSERT INTO notes (text) VALUES (?)", text);
const texts = (db: Database) =>
  db.all<{ text: string }>("SELECT text FROM notes ORDER BY id").map(({ text }) => text);

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("It did not throw.");
}

test("rows come back as they were written", () => {
  const db = openDatabase(":memory:");
  db.exec("CREATE TABLE odd (a TEXT, b REAL, c BLOB, d INTEGER)");
  const bytes = new Uint8Array([0, 255]);
  const { changes, lastId } = db.run(
    "INSERT INTO odd VALUES (?, ?, ?, ?)",
    "ü🙂",
    0.1,
    bytes,
    null,
  );

  expect({ changes, lastId }).toEqual({ changes: 1, lastId: 1 });
  const row = db.get<{ a: string; b: number; c: Uint8Array; d: null }>("SELECT * FROM odd");
  expect(row).toMatchObject({ a: "ü🙂", b: 0.1, d: null });
  expect([...(row?.c ?? [])]).toEqual([0, 255]);
  expect(db.get("SELECT * FROM odd WHERE a = 'none'")).toBeUndefined();
});

test("[house.database.whole] text that one of the drivers would cut is refused, never cut", () => {
  const db = openDatabase(":memory:");

  expect(() => db.get("SELECT ?", "a\0b")).toThrow("U+0000");
});

test("[house.database.transaction] a transaction that throws leaves nothing behind", () => {
  const db = notesIn();
  expect(() =>
    db.transaction(() => {
      write(db, "lost");
      throw new Error("no");
    }),
  ).toThrow("no");
  expect(texts(db)).toEqual([]);
  expect(db.transaction(() => write(db, "kept").lastId)).toBe(1);
});

test("[house.database.snapshot] reads of one moment do not see what is committed meanwhile", () => {
  const path = freshPath();
  const [ours, theirs] = [notesIn(path), openDatabase(path)];
  write(ours, "before");
  const seen = ours.snapshot(() => {
    const first = texts(ours);
    write(theirs, "meanwhile");
    return [first, texts(ours)];
  });

  expect(seen).toEqual([["before"], ["before"]]);
  expect(texts(ours)).toEqual(["before", "meanwhile"]);
  for (const db of [ours, theirs]) db.close();
});

test("[house.database.savepoint] a transaction inside another is undone by itself", () => {
  const db = notesIn();
  db.transaction(() => {
    write(db, "outer");
    expect(() =>
      db.transaction(() => {
        write(db, "inner");
        db.transaction(() => write(db, "innermost"));
        throw new Error("no");
      }),
    ).toThrow("no");
    db.transaction(() => write(db, "second inner"));
  });
  expect(texts(db)).toEqual(["outer", "second inner"]);
});

test("[house.database.no-await] a transaction refuses a promise and is rolled back", () => {
  const db = notesIn();
  const work = async () => {
    write(db, "lost");
  };
  expect(() => db.transaction(work)).toThrow("A transaction must not await.");
  expect(texts(db)).toEqual([]);
  db.transaction(() => write(db, "next"));
  expect(texts(db)).toEqual(["next"]);
});

test("foreign keys are kept", () => {
  const db = notesIn();
  db.exec("CREATE TABLE marks (note INTEGER NOT NULL REFERENCES notes (id))");
  expect(() => db.run("INSERT INTO marks VALUES (7)")).toThrow(/FOREIGN KEY/);
});

test("[house.database.data-version] another connection's commit is noticed, our own is not", () => {
  const path = freshPath();
  const [ours, theirs] = [notesIn(path), notesIn(path)];
  const before = ours.dataVersion();
  write(ours, "own");
  expect(ours.dataVersion()).toBe(before);
  write(theirs, "foreign");
  expect(ours.dataVersion()).not.toBe(before);
  ours.close();
  theirs.close();
});

test("a reader sees the last commit while a writer is in the middle of its work", () => {
  const path = freshPath();
  const [writer, reader] = [notesIn(path), openDatabase(path, { readOnly: true })];
  write(writer, "first");
  writer.transaction(() => {
    write(writer, "second");
    expect(texts(reader)).toEqual(["first"]);
  });
  expect(texts(reader)).toEqual(["first", "second"]);
  expect(() => write(reader, "never")).toThrow(/readonly/);
  reader.close();
  writer.close();
});

test("a log is emptied into the file, and left alone while somebody reads in it", () => {
  const path = freshPath();
  const [writer, reader] = [notesIn(path), openDatabase(path)];
  const lengthOfLog = () => statSync(`${path}-wal`).size;
  reader.snapshot(() => {
    expect(texts(reader)).toEqual([]);
    write(writer, "lamp");
    writer.emptyLog();

    expect(lengthOfLog()).toBeGreaterThan(0);
  });
  writer.emptyLog();

  expect(lengthOfLog()).toBe(0);
  expect(texts(reader)).toEqual(["lamp"]);
  writer.close();
  reader.close();
});

test("who must not wait is told that somebody else writes", () => {
  const path = freshPath();
  const [first, second] = [notesIn(path), openDatabase(path, { busyMs: 0 })];
  first.transaction(() => {
    expect(isBusy(thrownBy(() => second.transaction(() => undefined)))).toBe(true);
  });
  second.transaction(() => write(second, "now"));
  first.close();
  second.close();
});

test("[house.database.damaged] a file that is no database is told apart from other trouble", () => {
  const path = freshPath();
  writeFileSync(path, "no database at all ".repeat(100));
  expect(isCorrupt(thrownBy(() => openDatabase(path)))).toBe(true);
  expect(isCorrupt(thrownBy(() => openDatabase(join(top, "missing", "x.sqlite"))))).toBe(false);
  expect(isBusy(new Error("something else"))).toBe(false);
});

test("[house.database.old-sqlite] an SQLite that can lose writes is refused by its version", () => {
  for (const old of ["3.51.2", "3.50.9", "3.9.100", "2.99.99"]) {
    expect(() => refuseOldSqlite(old)).toThrow(`SQLite ${old} is too old: 3.51.3 or newer`);
  }
  for (const good of ["3.51.3", "3.51.10", "3.52.0", "4.0.0"]) refuseOldSqlite(good);
});

test("a place where SQLite keeps no write-ahead log is refused at once", () => {
  // The empty name is a temporary database, which never has one.
  expect(() => openDatabase("")).toThrow(/write-ahead log/);
});

test("with a rollback journal no other file stands beside the database", () => {
  const path = freshPath();
  const db = openDatabase(path, { journal: "rollback" });
  db.exec("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)");
  write(db, "alone");
  expect(readdirSync(top).filter((name) => name.startsWith(basename(path)))).toHaveLength(1);
  db.close();
});

test("[house.database.together] twelve processes on a cold file all write, and nobody sees it locked", async () => {
  const path = freshPath();
  const source = childSource(`
    import { openDatabase } from "./src/kernel/database.ts";
    const db = openDatabase(process.argv[2]);
    db.exec("CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)");
    for (let turn = 0; turn < 20; turn++) {
      db.transaction(() => {
        const { count } = db.get("SELECT count(*) AS count FROM notes");
        db.run("INSERT INTO notes (text) VALUES (?)", String(count));
      });
    }
    db.close();
  `);
  const children = Array.from({ length: 12 }, () =>
    spawn(process.execPath, [source, path], { stdio: ["ignore", "ignore", "inherit"] }),
  );
  const codes = await Promise.all(children.map(async (child) => (await once(child, "exit"))[0]));

  expect(codes).toEqual(codes.map(() => 0));
  const db = openDatabase(path);
  expect(texts(db)).toEqual(Array.from({ length: 240 }, (_, index) => String(index)));
  db.close();
}, 60_000);
