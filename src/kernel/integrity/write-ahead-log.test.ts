import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { childSource } from "../../../tests/child-source.ts";
import { openDatabase } from "../storage/database.ts";
import { isWalDamaged } from "./write-ahead-log.ts";

let store = "";

/** Leaves a store like a killed process: with its write-ahead log and shared-memory file. */
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), "lectern-log-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  store = join(folder, "store.sqlite");
  const writer = childSource(`
    import { openDatabase } from "./src/kernel/storage/database.ts";
    const db = openDatabase(process.argv[2]);
    db.exec("CREATE TABLE notes (text TEXT)");
    for (let number = 0; number < 30; number++) db.run("INSERT INTO notes VALUES (?)", "a note");
    process.kill(process.pid, "SIGKILL");
  `);
  try {
    execFileSync(process.execPath, [writer, store], { stdio: "ignore" });
  } catch {
    // The process exited as requested.
  }
});

test("[core.store.log] the log of a stopped process is valid", () => {
  expect(isWalDamaged(store)).toBe(false);
});

test("[core.store.log] a truncated, emptied or overwritten log is detected", () => {
  const log = `${store}-wal`;
  copyFileSync(log, `${log}.kept`);
  const { length } = readFileSync(log);
  const damages: Record<string, () => void> = {
    emptied: () => truncateSync(log, 0),
    cut: () => truncateSync(log, length - 5_000),
    "cut at a frame": () => truncateSync(log, 32 + 10 * 4_120),
    beginning: () => overwrite(log, 3),
    middle: () => overwrite(log, length / 2),
  };
  for (const [name, damage] of Object.entries(damages)) {
    copyFileSync(`${log}.kept`, log);
    damage();
    expect([name, isWalDamaged(store)]).toEqual([name, true]);
  }
});

function overwrite(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes.fill(0x5a, at, at + 40);
  writeFileSync(path, bytes);
}

test("[core.store.log] a store that is being written is never reported as damaged", () => {
  const db = openDatabase(store);
  onTestFinished(() => db.close());
  for (let round = 0; round < 300; round++) {
    db.run("INSERT INTO notes VALUES (?)", "x".repeat(9_000));
    if (round % 40 === 0) db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    expect([round, isWalDamaged(store)]).toEqual([round, false]);
  }
});
