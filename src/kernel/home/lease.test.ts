import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";
import { childSource } from "../../../tests/child-source.ts";
import { isLeaseHeld, openLease } from "./lease.ts";

const folder = mkdtempSync(join(tmpdir(), "lectern-lease-"));
let counter = 0;
const freshPath = () => join(folder, `lease-${counter++}.sqlite`);

/** A process that waits for the lease, reports it, and works until it is stopped. */
let contender: string;
/** A process that acquires and releases many times, marking each period by an exclusive file. */
let worker: string;

beforeAll(() => {
  contender = childSource(`
    import { openLease } from "./src/kernel/home/lease.ts";
    const lease = openLease(process.argv[2]);
    const timer = setInterval(() => {
      if (lease.tryAcquire()) { clearInterval(timer); console.log("holds"); }
    }, 5);
    process.stdin.on("end", () => { clearInterval(timer); lease.close(); }).resume();
  `);
  worker = childSource(`
    import { closeSync, openSync, rmSync } from "node:fs";
    import { openLease } from "./src/kernel/home/lease.ts";
    const [, , path, mark] = process.argv;
    const lease = openLease(path);
    let stays = 0;
    const end = Date.now() + 20_000;
    while (stays < 15 && Date.now() < end) {
      if (lease.tryAcquire()) {
        // "wx" fails if another process holds it at the same time.
        closeSync(openSync(mark, "wx"));
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Math.random() * 2);
        rmSync(mark);
        lease.release();
        stays++;
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Math.random() * 3);
    }
    console.log(stays);
  `);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function start(source: string, ...values: string[]) {
  const child = spawn(process.execPath, [source, ...values], { stdio: ["pipe", "pipe", "pipe"] });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
  let complaints = "";
  child.stderr.on("data", (piece) => {
    complaints += piece;
  });
  return { child, lines, complaints: () => complaints };
}

async function firstToHold(running: { child: ChildProcess; lines: string[] }[]) {
  for (;;) {
    const holders = running.filter(({ lines }) => lines.includes("holds"));
    if (holders[0]) return { holder: holders[0], count: holders.length };
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test("[core.lease.one] of two processes only one holds the lease; the other gets it after release", () => {
  const path = freshPath();
  const [first, second] = [openLease(path), openLease(path)];

  expect([first.tryAcquire(), second.tryAcquire()]).toEqual([true, false]);
  expect([first.isHeld, second.isHeld]).toEqual([true, false]);
  expect(first.tryAcquire()).toBe(true);

  first.release();
  expect([second.tryAcquire(), first.tryAcquire()]).toEqual([true, false]);
  second.close();
  expect(first.tryAcquire()).toBe(true);
  first.close();
  expect(first.isHeld).toBe(false);
});

test("[core.lease.killed] when the holder is killed, another process acquires the lease", async () => {
  const path = freshPath();
  let running = Array.from({ length: 4 }, () => start(contender, path));
  try {
    for (let turn = 0; turn < 3; turn++) {
      const { holder, count } = await firstToHold(running);
      expect(count).toBe(1);
      holder.child.kill("SIGKILL");
      await once(holder.child, "exit");
      running = running.filter((one) => one !== holder);
    }
    await firstToHold(running);
  } finally {
    for (const { child } of running) child.kill("SIGKILL");
  }
});

test("[core.lease.twenty] among twenty processes there is never more than one holder", async () => {
  const path = freshPath();
  const running = Array.from({ length: 20 }, () => start(worker, path, `${path}.inside`));
  const codes = await Promise.all(
    running.map(async ({ child }) => (await once(child, "close"))[0] as number),
  );

  expect(running.map(({ complaints }) => complaints()).join("")).toBe("");
  expect(codes).toEqual(codes.map(() => 0));
  const stays = running.map(({ lines }) => Number(lines[0]));
  expect(stays.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(20);
});

test("[core.lease.damaged] a damaged lease file is truncated and reused", () => {
  const path = freshPath();
  writeFileSync(path, "this was never a database ".repeat(400));
  const [first, second] = [openLease(path), openLease(path)];

  expect([first.tryAcquire(), second.tryAcquire()]).toEqual([true, false]);
  first.close();
  expect(second.tryAcquire()).toBe(true);
  second.close();
});

test("a lease whose file was deleted is no longer held, and can be acquired again", () => {
  const path = freshPath();
  const lease = openLease(path);
  lease.tryAcquire();
  rmSync(path);

  expect(lease.isHeld).toBe(false);
  expect(lease.tryAcquire()).toBe(true);
  lease.close();
});

test("an impossible path is an error, not a lease that can never be acquired", () => {
  const lease = openLease(join(folder, "missing", "lease.sqlite"));
  expect(() => lease.tryAcquire()).toThrow();
  expect(lease.isHeld).toBe(false);
});

test("[core.lease.check] checking the lease reports whether it is held and blocks no process", () => {
  const path = freshPath();
  expect(isLeaseHeld(path)).toBe(false);
  const lease = openLease(path);
  expect(lease.tryAcquire()).toBe(true);
  expect(isLeaseHeld(path)).toBe(true);
  expect(lease.isHeld).toBe(true);
  lease.release();
  expect([isLeaseHeld(path), isLeaseHeld(path)]).toEqual([false, false]);
  expect(lease.tryAcquire()).toBe(true);
  lease.close();
  writeFileSync(path, "no database".repeat(100));
  expect(isLeaseHeld(path)).toBe(false);
});
