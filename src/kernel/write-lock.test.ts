import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { childSource } from "../../tests/child-source.ts";
import { type Database, openDatabase } from "./database.ts";
import { Failure } from "./failure.ts";

const opened: (() => void)[] = [];
afterEach(() => {
  for (const close of opened.splice(0)) close();
});

/** A store in which another process stands still inside a transaction until it is told to go on. */
async function heldStore() {
  const top = mkdtempSync(join(tmpdir(), "lectern-lock-"));
  const path = join(top, "store.sqlite");
  const db = openDatabase(path);
  db.exec("CREATE TABLE notes (text TEXT NOT NULL)");
  const source = childSource(`
    import { openDatabase } from "./src/kernel/database.ts";
    const db = openDatabase(process.argv[2]);
    db.transaction(() => {
      db.run("INSERT INTO notes VALUES ('theirs')");
      process.stdout.write("held", () => {});
      process.kill(process.pid, "SIGSTOP");
    });
    db.close();
  `);
  const holder = spawn(process.execPath, [source, path], { stdio: ["ignore", "pipe", "inherit"] });
  opened.push(() => {
    holder.kill("SIGKILL");
    db.close();
    rmSync(top, { recursive: true, force: true });
  });
  await once(holder.stdout, "data");
  const goOn = async (): Promise<void> => {
    const ended = once(holder, "exit");
    holder.kill("SIGCONT");
    await ended;
  };
  return { db, holder, goOn };
}

const texts = (db: Database) =>
  db.all<{ text: string }>("SELECT text FROM notes ORDER BY rowid").map(({ text }) => text);
const write = (db: Database, text: string) => db.run("INSERT INTO notes VALUES (?)", text);

function failureOf(work: () => unknown): Failure {
  try {
    work();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error("It did not fail.");
}

test("[house.write-lock.frozen] a writer behind a process that stands still is refused, and nothing is lost", async () => {
  const { db, holder, goOn } = await heldStore();

  const refused = failureOf(() => write(db, "ours"));
  expect(refused).toMatchObject({ kind: "unavailable", code: "store-busy" });
  if (process.platform === "linux") expect(refused.message).toContain(`(${holder.pid})`);
  expect(texts(db)).toEqual([]);
  await goOn();
  write(db, "ours");

  expect(texts(db)).toEqual(["theirs", "ours"]);
});

test("[house.write-lock.free-thread] who waits for the lock leaves the thread to others", async () => {
  const { db, goOn } = await heldStore();
  let beats = 0;
  const timer = setInterval(() => beats++, 5);
  const told: string[] = [];
  const wait = db.writable({
    patienceMs: Number.POSITIVE_INFINITY,
    onWait: (why) => told.push(why),
  });
  while (told.length === 0) await sleep(20);
  const before = beats;
  while (beats < before + 10) await sleep(20);
  expect(texts(db)).toEqual([]);
  await goOn();
  await wait;
  clearInterval(timer);
  db.transaction(() => write(db, "ours"));

  expect(texts(db)).toEqual(["theirs", "ours"]);
  expect(told).toEqual([expect.stringContaining("Another Lectern process")]);
});

test("[house.write-lock.patience] who has waited long enough, or gives up, is told so", async () => {
  const { db } = await heldStore();

  await expect(db.writable({ patienceMs: 100 })).rejects.toMatchObject({ code: "store-busy" });
  const stop = new AbortController();
  const wait = db.writable({ patienceMs: Number.POSITIVE_INFINITY, signal: stop.signal });
  stop.abort();
  await expect(wait).rejects.toMatchObject({ name: "AbortError" });
});

/** Another process whose transactions change nothing, follow each other at once, and end after 2 s. */
async function busyStore(end: "commit" | "rollback") {
  const top = mkdtempSync(join(tmpdir(), "lectern-lock-"));
  const path = join(top, "store.sqlite");
  const db = openDatabase(path);
  db.exec("CREATE TABLE notes (text TEXT NOT NULL)");
  const source = childSource(`
    import { openDatabase } from "./src/kernel/database.ts";
    import { pause } from "./src/kernel/write-lock.ts";
    const db = openDatabase(process.argv[2]);
    const turn = (index) => {
      if (index === 0) process.stdout.write("held");
      pause(300);
      if (${end === "rollback"}) {
        db.run("INSERT INTO notes VALUES ('withdrawn')");
        throw new Error("rolled back");
      }
    };
    for (let index = 0; index < 6; index++) {
      try { db.transaction(() => turn(index)); } catch (error) { if (error.message !== "rolled back") throw error; }
    }
    db.close();
  `);
  const other = spawn(process.execPath, [source, path], { stdio: ["ignore", "pipe", "inherit"] });
  opened.push(() => {
    other.kill("SIGKILL");
    db.close();
    rmSync(top, { recursive: true, force: true });
  });
  await once(other.stdout, "data");
  return db;
}

test("[house.write-lock.progress] transactions that change nothing, or are rolled back, are no standstill", async () => {
  for (const end of ["commit", "rollback"] as const) {
    const db = await busyStore(end);
    write(db, "ours");
    expect([end, texts(db)]).toEqual([end, ["ours"]]);

    const waited = await busyStore(end);
    await waited.writable({ patienceMs: 1_000 });
    write(waited, "ours");
    expect([end, texts(waited)]).toEqual([end, ["ours"]]);
  }
}, 60_000);

test("[house.write-lock.frozen] readers beside a process that stands still are no progress", async () => {
  const { db } = await heldStore();
  const reader = openDatabase(db.get<{ file: string }>("PRAGMA database_list")?.file ?? "");
  opened.push(() => reader.close());
  const reading = setInterval(() => texts(reader), 5);
  opened.push(() => clearInterval(reading));

  await expect(db.writable({ patienceMs: 500 })).rejects.toMatchObject({ code: "store-busy" });
  expect(failureOf(() => write(db, "ours")).code).toBe("store-busy");
});
