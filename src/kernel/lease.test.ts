import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";
import { childSource } from "../../tests/child-source.ts";
import { isHeld, openLease } from "./lease.ts";

const folder = mkdtempSync(join(tmpdir(), "lectern-lease-"));
let counter = 0;
const freshPath = () => join(folder, `lease-${counter++}.sqlite`);

/** A process that tries until it holds the lease, says so, and works until it is told to stop. */
let contender: string;
/** A process that takes and gives back many times, marking each stay by an exclusive file. */
let worker: string;

beforeAll(() => {
  contender = childSource(`
    import { openLease } from "./src/kernel/lease.ts";
    const lease = openLease(process.argv[2]);
    const timer = setInterval(() => {
      if (lease.take()) { clearInterval(timer); console.log("holds"); }
    }, 5);
    process.stdin.on("end", () => { clearInterval(timer); lease.close(); }).resume();
  `);
  worker = childSource(`
    import { closeSync, openSync, rmSync } from "node:fs";
    import { openLease } from "./src/kernel/lease.ts";
    const [, , path, mark] = process.argv;
    const lease = openLease(path);
    let stays = 0;
    const end = Date.now() + 20_000;
    while (stays < 15 && Date.now() < end) {
      if (lease.take()) {
        // "wx" fails when another process is inside at the same time.
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

test("[house.lease.one] of two that ask, one holds; the other holds once it is given back", () => {
  const path = freshPath();
  const [first, second] = [openLease(path), openLease(path)];

  expect([first.take(), second.take()]).toEqual([true, false]);
  expect([first.held, second.held]).toEqual([true, false]);
  expect(first.take()).toBe(true);

  first.release();
  expect([second.take(), first.take()]).toEqual([true, false]);
  second.close();
  expect(first.take()).toBe(true);
  first.close();
  expect(first.held).toBe(false);
});

test("[house.lease.killed] when its holder is killed, one of the others takes the lease over", async () => {
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
}, 60_000);

test("[house.lease.twenty] among twenty processes there is never more than one holder", async () => {
  const path = freshPath();
  const running = Array.from({ length: 20 }, () => start(worker, path, `${path}.inside`));
  const codes = await Promise.all(
    running.map(async ({ child }) => (await once(child, "close"))[0] as number),
  );

  expect(running.map(({ complaints }) => complaints()).join("")).toBe("");
  expect(codes).toEqual(codes.map(() => 0));
  const stays = running.map(({ lines }) => Number(lines[0]));
  expect(stays.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(20);
}, 90_000);

test("[house.lease.damaged] a damaged file is emptied and serves again", () => {
  const path = freshPath();
  writeFileSync(path, "this was never a database ".repeat(400));
  const [first, second] = [openLease(path), openLease(path)];

  expect([first.take(), second.take()]).toEqual([true, false]);
  first.close();
  expect(second.take()).toBe(true);
  second.close();
});

test("a lease whose file was removed is no longer held, and can be taken anew", () => {
  const path = freshPath();
  const lease = openLease(path);
  lease.take();
  rmSync(path);

  expect(lease.held).toBe(false);
  expect(lease.take()).toBe(true);
  lease.close();
});

test("a place where no file can be is an error, not a lease that nobody ever gets", () => {
  const lease = openLease(join(folder, "missing", "lease.sqlite"));
  expect(() => lease.take()).toThrow();
  expect(lease.held).toBe(false);
});

test("[house.lease.look] who only looks learns whether the lease is held, and hinders nobody", () => {
  const path = freshPath();
  expect(isHeld(path)).toBe(false);
  const lease = openLease(path);
  expect(lease.take()).toBe(true);
  expect(isHeld(path)).toBe(true);
  expect(lease.held).toBe(true);
  lease.release();
  expect([isHeld(path), isHeld(path)]).toEqual([false, false]);
  expect(lease.take()).toBe(true);
  lease.close();
  writeFileSync(path, "no database".repeat(100));
  expect(isHeld(path)).toBe(false);
});
