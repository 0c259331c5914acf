import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { childSource } from "../../../tests/child-source.ts";
import {
  assertSqliteVersion,
  type Database,
  isBusyError,
  isCorruptionError,
  openDatabase,
} from "./database.ts";

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

test("rows are read back as written", () => {
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

test("[core.database.whole] text that a driver would truncate is refused", () => {
  const db = openDatabase(":memory:");

  expect(() => db.get("SELECT ?", "a\0b")).toThrow("U+0000");
});

test("[core.database.transaction] a transaction that throws is rolled back completely", () => {
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

test("[core.database.transaction] a transaction marked as rollback returns its result and changes nothing", () => {
  const db = notesIn();
  const attempt = (commit: boolean) =>
    db.transaction(() => write(db, "note").lastId, { commitIf: () => commit });
  expect(attempt(false)).toBe(1);
  expect(texts(db)).toEqual([]);
  db.transaction(() => {
    attempt(false);
    attempt(true);
  });
  expect(texts(db)).toEqual(["note"]);
});

test("[core.database.snapshot] reads in one snapshot do not see later commits", () => {
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

test("[core.database.savepoint] a nested transaction is rolled back on its own", () => {
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

test("[core.database.no-await] a transaction that returns a promise is refused and rolled back", () => {
  const db = notesIn();
  const work = async () => {
    write(db, "lost");
  };
  expect(() => db.transaction(work)).toThrow("A transaction must not await.");
  expect(texts(db)).toEqual([]);
  db.transaction(() => write(db, "next"));
  expect(texts(db)).toEqual(["next"]);
});

test("foreign keys are enforced", () => {
  const db = notesIn();
  db.exec("CREATE TABLE marks (note INTEGER NOT NULL REFERENCES notes (id))");
  expect(() => db.run("INSERT INTO marks VALUES (7)")).toThrow(/FOREIGN KEY/);
});

test("[core.database.data-version] a commit by another connection is detected, our own is not", () => {
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

test("a reader sees the last commit while a writer is active", () => {
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

test("the log is checkpointed, except while it is being read", () => {
  const path = freshPath();
  const [writer, reader] = [notesIn(path), openDatabase(path)];
  const lengthOfLog = () => statSync(`${path}-wal`).size;
  reader.snapshot(() => {
    expect(texts(reader)).toEqual([]);
    write(writer, "lamp");
    writer.truncateLog();

    expect(lengthOfLog()).toBeGreaterThan(0);
  });
  writer.truncateLog();

  expect(lengthOfLog()).toBe(0);
  expect(texts(reader)).toEqual(["lamp"]);
  writer.close();
  reader.close();
});

test("a call that must not wait fails while another process is writing", () => {
  const path = freshPath();
  const [first, second] = [notesIn(path), openDatabase(path, { busyTimeoutMs: 0 })];
  first.transaction(() => {
    expect(isBusyError(thrownBy(() => second.transaction(() => undefined)))).toBe(true);
  });
  second.transaction(() => write(second, "now"));
  first.close();
  second.close();
});

test("[core.database.damaged] a file that is not a database is distinguished from other errors", () => {
  const path = freshPath();
  writeFileSync(path, "no database at all ".repeat(100));
  expect(isCorruptionError(thrownBy(() => openDatabase(path)))).toBe(true);
  expect(isCorruptionError(thrownBy(() => openDatabase(join(top, "missing", "x.sqlite"))))).toBe(
    false,
  );
  expect(isBusyError(new Error("something else"))).toBe(false);
});

test("[core.database.old-sqlite] SQLite versions that can lose writes are refused", () => {
  for (const old of ["3.51.2", "3.50.9", "3.9.100", "2.99.99"]) {
    expect(() => assertSqliteVersion(old)).toThrow(`SQLite ${old} is too old: 3.51.3 or newer`);
  }
  for (const good of ["3.51.3", "3.51.10", "3.52.0", "4.0.0"]) assertSqliteVersion(good);
});

test("a location where SQLite cannot use a write-ahead log is refused immediately", () => {
  // The empty name is a temporary database, which never has a write-ahead log.
  expect(() => openDatabase("")).toThrow(/write-ahead log/);
});

test("with a rollback journal there is no other file beside the database", () => {
  const path = freshPath();
  const db = openDatabase(path, { journal: "rollback" });
  db.exec("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)");
  write(db, "alone");
  expect(readdirSync(top).filter((name) => name.startsWith(basename(path)))).toHaveLength(1);
  db.close();
});

test("[core.database.together] twelve processes that open a new file concurrently all write, and none fails because it is locked", async () => {
  const path = freshPath();
  const source = childSource(`
    import { openDatabase } from "./src/kernel/storage/database.ts";
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
});

test("[core.database.vacuum] a database is compacted although a temporary view hides a table", () => {
  const path = freshPath();
  const db = notesIn(path);
  db.exec("CREATE INDEX notes_text ON notes (text)");
  for (let count = 0; count < 500; count++) write(db, "a line of text ".repeat(20));
  db.exec("CREATE TEMP VIEW notes AS SELECT * FROM main.notes WHERE id < 0");
  db.run("DELETE FROM main.notes");
  const size = db.size();

  db.vacuum();

  expect(db.size()).toBeLessThan(size / 2);
  db.close();
});

test("[core.store.log-length] a process that has written much leaves a short log, and a reader leaves it as it is", () => {
  const path = freshPath();
  const logBytes = (): number => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const other = notesIn(path);
  const writer = openDatabase(path);
  for (let note = 0; note < 100; note++) write(writer, "x".repeat(4_000));
  const written = logBytes();
  const reader = openDatabase(path);
  expect(texts(reader)).toHaveLength(100);
  reader.close();
  expect(logBytes()).toBe(written);
  writer.close();
  expect(logBytes()).toBe(0);
  expect(texts(other)).toHaveLength(100);
  other.close();
});
