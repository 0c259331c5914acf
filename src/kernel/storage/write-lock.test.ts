import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { childSource } from "../../../tests/child-source.ts";
import { Failure } from "../failure.ts";
import { type Database, openDatabase } from "./database.ts";

const opened: (() => void)[] = [];
afterEach(() => {
  for (const close of opened.splice(0)) close();
});

/** A store in which another process stays inside a transaction until it is released. */
async function heldStore() {
  const top = mkdtempSync(join(tmpdir(), "lectern-lock-"));
  const path = join(top, "store.sqlite");
  const db = openDatabase(path);
  db.exec("CREATE TABLE notes (text TEXT NOT NULL)");
  const source = childSource(`
    import { openDatabase } from "./src/kernel/storage/database.ts";
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

test("[core.write-lock.frozen] a write behind a suspended process is refused, and nothing is lost", async () => {
  const { db, holder, goOn } = await heldStore();

  const refused = failureOf(() => write(db, "ours"));
  expect(refused).toMatchObject({ kind: "unavailable", code: "store-busy" });
  if (process.platform === "linux") expect(refused.message).toContain(`(${holder.pid})`);
  expect(texts(db)).toEqual([]);
  await goOn();
  write(db, "ours");

  expect(texts(db)).toEqual(["theirs", "ours"]);
});

test("[core.write-lock.free-thread] waiting for the lock does not block the thread", async () => {
  const { db, goOn } = await heldStore();
  let beats = 0;
  const timer = setInterval(() => beats++, 5);
  const reported: string[] = [];
  const wait = db.waitUntilWritable({
    timeoutMs: Number.POSITIVE_INFINITY,
    onWait: (why) => reported.push(why),
  });
  while (reported.length === 0) await sleep(20);
  const before = beats;
  while (beats < before + 10) await sleep(20);
  expect(texts(db)).toEqual([]);
  await goOn();
  await wait;
  clearInterval(timer);
  db.transaction(() => write(db, "ours"));

  expect(texts(db)).toEqual(["theirs", "ours"]);
  expect(reported).toEqual([expect.stringContaining("Another Lectern process")]);
});

test("[core.write-lock.timeout] a wait that times out or is aborted says so", async () => {
  const { db } = await heldStore();

  await expect(db.waitUntilWritable({ timeoutMs: 100 })).rejects.toMatchObject({
    code: "store-busy",
  });
  const stop = new AbortController();
  const wait = db.waitUntilWritable({ timeoutMs: Number.POSITIVE_INFINITY, signal: stop.signal });
  stop.abort();
  await expect(wait).rejects.toMatchObject({ name: "AbortError" });
});

/** Another process with consecutive transactions that change nothing, for 2 s. */
async function busyStore(end: "commit" | "rollback") {
  const top = mkdtempSync(join(tmpdir(), "lectern-lock-"));
  const path = join(top, "store.sqlite");
  const db = openDatabase(path);
  db.exec("CREATE TABLE notes (text TEXT NOT NULL)");
  const source = childSource(`
    import { openDatabase } from "./src/kernel/storage/database.ts";
    import { sleepSync } from "./src/kernel/storage/write-lock.ts";
    const db = openDatabase(process.argv[2]);
    const turn = (index) => {
      if (index === 0) process.stdout.write("held");
      sleepSync(300);
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

test("[core.write-lock.progress] transactions that change nothing, or are rolled back, count as progress", async () => {
  for (const end of ["commit", "rollback"] as const) {
    const db = await busyStore(end);
    write(db, "ours");
    expect([end, texts(db)]).toEqual([end, ["ours"]]);

    const waited = await busyStore(end);
    await waited.waitUntilWritable({ timeoutMs: 1_000 });
    write(waited, "ours");
    expect([end, texts(waited)]).toEqual([end, ["ours"]]);
  }
});

test("[core.write-lock.frozen] readers beside a suspended process do not count as progress", async () => {
  const { db } = await heldStore();
  const reader = openDatabase(db.get<{ file: string }>("PRAGMA database_list")?.file ?? "");
  opened.push(() => reader.close());
  const reading = setInterval(() => texts(reader), 5);
  opened.push(() => clearInterval(reading));

  await expect(db.waitUntilWritable({ timeoutMs: 500 })).rejects.toMatchObject({
    code: "store-busy",
  });
  expect(failureOf(() => write(db, "ours")).code).toBe("store-busy");
});
