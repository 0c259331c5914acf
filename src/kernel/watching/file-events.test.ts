import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { childSource } from "../../../tests/child-source.ts";
import { childrenOf, hasEnded, until } from "../../../tests/programs/process.ts";
import { openFileEventSource } from "./file-events.ts";

const top = realpathSync(mkdtempSync(join(tmpdir(), "lectern-events-")));
afterAll(() => rmSync(top, { recursive: true, force: true }));

test("a missing folder cannot be watched, and others still can", async () => {
  const events = openFileEventSource();
  const received: string[] = [];
  try {
    await expect(events.listen(join(top, "missing"), () => undefined)).rejects.toThrow();
    const stop = await events.listen(top, (found) => {
      received.push(...(found ?? []).map(({ path }) => path));
    });
    writeFileSync(join(top, "a.md"), "x");
    await until(() => received.includes(join(top, "a.md")), "a new file is reported");
    await stop();
    received.length = 0;
    writeFileSync(join(top, "b.md"), "x");
    await sleep(300);
    expect(received).toEqual([]);
  } finally {
    await events.close();
  }
});

test.runIf(existsSync("/dev/shm"))(
  "[core.watcher.below-virtual] a folder in memory below the virtual file system /dev is watched",
  async () => {
    const events = openFileEventSource();
    const folder = mkdtempSync("/dev/shm/lectern-events-");
    const seen: string[] = [];
    try {
      await events.listen(folder, (found) => seen.push(...(found ?? []).map(({ path }) => path)));
      writeFileSync(join(folder, "a.md"), "x");
      await until(() => seen.includes(join(folder, "a.md")), "the new file is reported");
    } finally {
      await events.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

test("[core.watcher.flat] in flat mode, nothing inside subfolders is watched", async () => {
  const events = openFileEventSource();
  const flat = join(top, "flat");
  mkdirSync(join(flat, "a/b/c"), { recursive: true });
  const received: string[] = [];
  try {
    await events.listen(flat, (found) => received.push(...(found ?? []).map(({ path }) => path)), {
      isFlat: true,
    });
    writeFileSync(join(flat, "a/b/c/deep.md"), "x");
    writeFileSync(join(flat, "a/inner.md"), "x");
    writeFileSync(join(flat, "own.md"), "x");
    await until(() => received.includes(join(flat, "own.md")), "its own file is reported");
    expect(received.filter((path) => path.startsWith(join(flat, "a/")))).toEqual([]);
  } finally {
    await events.close();
  }
});

test("[core.watcher.crash] when the native watcher crashes, listeners are notified and can restart it", async () => {
  const events = openFileEventSource();
  const before = childrenOf(process.pid);
  const received: (string | undefined)[] = [];
  const onEvents = (found: { path: string }[] | undefined) => {
    received.push(...(found ? found.map(({ path }) => path) : [undefined]));
  };
  try {
    const stop = await events.listen(top, onEvents);
    const [watcher] = childrenOf(process.pid).filter((pid) => !before.includes(pid));
    if (!watcher) throw new Error("There is no watcher to end.");
    process.kill(watcher, "SIGKILL");
    await until(() => received.includes(undefined), "the loss is reported");
    await stop();

    await events.listen(top, onEvents);
    writeFileSync(join(top, "c.md"), "x");
    await until(() => received.includes(join(top, "c.md")), "another watcher reports it");
  } finally {
    await events.close();
  }
});

test("[core.watcher.no-orphan] the native watcher ends with its process, even if the process is killed", async () => {
  const source = childSource(`
    import { openFileEventSource } from "./src/kernel/watching/file-events.ts";
    await openFileEventSource().listen(process.argv[2], () => undefined);
    setInterval(() => undefined, 1000);
    console.log("listening");
  `);
  const program = spawn(process.execPath, [source, top]);
  await once(program.stdout, "data");
  const watchers = childrenOf(program.pid ?? 0);
  expect(watchers).toHaveLength(1);

  program.kill("SIGKILL");

  await until(() => watchers.every(hasEnded), "the watchers have ended");
});
