import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type Database, openDatabase } from "../../src/kernel/storage/database.ts";

/** Reads a database that other processes have open. A copy of it could contain half of a write. */
export function readLive<Result>(path: string, read: (db: Database) => Result): Result {
  const db = openDatabase(path, { readOnly: true });
  try {
    return read(db);
  } finally {
    db.close();
  }
}

/** Reads a database from a copy, since opening one after a crash recovers it. No process may write. */
function readCopy<Result>(path: string, read: (db: Database) => Result): Result {
  const tempFolder = mkdtempSync(join(tmpdir(), "lectern-copy-"));
  try {
    for (const suffix of ["", "-wal", "-journal"]) {
      const from = path + suffix;
      if (existsSync(from)) copyFileSync(from, join(tempFolder, basename(from)));
    }
    const db = openDatabase(join(tempFolder, basename(path)), { journal: "rollback" });
    try {
      return read(db);
    } finally {
      db.close();
    }
  } finally {
    rmSync(tempFolder, { recursive: true, force: true });
  }
}

/** SQLite's integrity errors for the databases of a home: its store, and every project in it. */
export function damagedStores(home: string): string[] {
  const projects = readdirSync(home)
    .filter((name) => name.endsWith(".qda") && !name.startsWith("."))
    .map((name) => join(home, name, "data.qda"));
  return [join(home, "lectern.sqlite"), ...projects].flatMap((path) => {
    const lines = readCopy(path, (db) =>
      db.all<{ integrity_check: string }>("PRAGMA integrity_check(3)"),
    ).map((row) => row.integrity_check);
    return lines.filter((line) => line !== "ok").map((line) => `${basename(path)}: ${line}`);
  });
}
