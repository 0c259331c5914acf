import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { childSource } from "../../tests/child-source.ts";
import { childrenOf, hasEnded, until } from "../../tests/programs/process.ts";
import { openFileEvents } from "./file-events.ts";

const top = realpathSync(mkdtempSync(join(tmpdir(), "lectern-events-")));
afterAll(() => rmSync(top, { recursive: true, force: true }));

test("a folder that is not there cannot be listened to, and others still can", async () => {
  const events = openFileEvents();
  const heard: string[] = [];
  try {
    await expect(events.listen(join(top, "missing"), () => undefined)).rejects.toThrow();
    const stop = await events.listen(top, (found) => {
      heard.push(...(found ?? []).map(({ path }) => path));
    });
    writeFileSync(join(top, "a.md"), "x");
    await until(() => heard.includes(join(top, "a.md")), "a new file is heard of");
    await stop();
    heard.length = 0;
    writeFileSync(join(top, "b.md"), "x");
    await sleep(300);
    expect(heard).toEqual([]);
  } finally {
    await events.close();
  }
});

test("[house.watcher.flat] of a folder that matters alone, what lies below its folders is not watched", async () => {
  const events = openFileEvents();
  const flat = join(top, "flat");
  mkdirSync(join(flat, "a/b/c"), { recursive: true });
  const heard: string[] = [];
  try {
    await events.listen(flat, (found) => heard.push(...(found ?? []).map(({ path }) => path)), {
      isFlat: true,
    });
    writeFileSync(join(flat, "a/b/c/deep.md"), "x");
    writeFileSync(join(flat, "a/inner.md"), "x");
    writeFileSync(join(flat, "own.md"), "x");
    await until(() => heard.includes(join(flat, "own.md")), "its own file is heard of");
    expect(heard.filter((path) => path.startsWith(join(flat, "a/")))).toEqual([]);
  } finally {
    await events.close();
  }
});

test("[house.watcher.crash] when the native watcher dies, listeners are told and can begin anew", async () => {
  const events = openFileEvents();
  const before = childrenOf(process.pid);
  const heard: (string | undefined)[] = [];
  const hear = (found: { path: string }[] | undefined) => {
    heard.push(...(found ? found.map(({ path }) => path) : [undefined]));
  };
  try {
    const stop = await events.listen(top, hear);
    const [watcher] = childrenOf(process.pid).filter((pid) => !before.includes(pid));
    if (!watcher) throw new Error("There is no watcher to end.");
    process.kill(watcher, "SIGKILL");
    await until(() => heard.includes(undefined), "the loss is told");
    await stop();

    await events.listen(top, hear);
    writeFileSync(join(top, "c.md"), "x");
    await until(() => heard.includes(join(top, "c.md")), "another watcher hears");
  } finally {
    await events.close();
  }
});

test("[house.watcher.no-orphan] the native watcher ends with its process, even one that is killed", async () => {
  const source = childSource(`
    import { openFileEvents } from "./src/kernel/file-events.ts";
    await openFileEvents().listen(process.argv[2], () => undefined);
    setInterval(() => undefined, 1000);
    console.log("listening");
  `);
  const program = spawn(process.execPath, [source, top]);
  await once(program.stdout, "data");
  const watchers = childrenOf(program.pid ?? 0);
  expect(watchers).toHaveLength(1);

  program.kill("SIGKILL");

  await until(() => watchers.every(hasEnded), "the watchers have ended");
}, 30_000);
