import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, expect, test } from "vitest";
import { childSource } from "../../../tests/child-source.ts";
import type { FileEventSource } from "./file-events.ts";
import {
  type FileChangeBatch,
  type FolderWatcher,
  type WatchOptions,
  watchFolders,
} from "./watcher.ts";

const top = realpathSync(mkdtempSync(join(tmpdir(), "lectern-watcher-")));
const open: FolderWatcher[] = [];
let counter = 0;

afterEach(async () => {
  for (const watcher of open.splice(0)) await watcher.close();
});
afterAll(() => rmSync(top, { recursive: true, force: true }));

/** A watched folder with one file, and the reported batches. */
async function watched(options: WatchOptions = {}) {
  const folder = join(top, `folder-${counter++}`);
  mkdirSync(join(folder, "sub"), { recursive: true });
  writeFileSync(join(folder, "a.md"), "one");
  const batches: FileChangeBatch[] = [];
  const watcher = await watchFolders([folder], (batch) => batches.push(batch), options);
  open.push(watcher);
  return { folder, batches, watcher };
}

/** Waits until a batch reports a path, by name or by a full scan request. */
async function reportOf(
  batches: FileChangeBatch[],
  path: string,
  allowOverflow = false,
): Promise<void> {
  await until(() =>
    batches.some(({ paths, overflow }) => paths.includes(path) || (allowOverflow && overflow)),
  );
}

/** Writes repeatedly until a batch reports the path by name: the folder is watched again. */
async function isHeardAgain(batches: FileChangeBatch[], path: string): Promise<void> {
  batches.length = 0;
  await until(() => {
    appendFileSync(path, "more");
    return batches.some(({ paths }) => paths.includes(path));
  }, 200);
}

async function until(condition: () => boolean, everyMs = 10): Promise<void> {
  const end = Date.now() + 60_000;
  while (!condition()) {
    if (Date.now() > end) throw new Error("It did not happen within 60 s.");
    await sleep(everyMs);
  }
}

test.each<[string, (folder: string) => void, string]>([
  ["a new file", (folder) => writeFileSync(join(folder, "b.md"), "two"), "b.md"],
  ["a file in a folder", (folder) => writeFileSync(join(folder, "sub/b.md"), "x"), "sub/b.md"],
  ["more text", (folder) => appendFileSync(join(folder, "a.md"), "two"), "a.md"],
  ["a removed file", (folder) => rmSync(join(folder, "a.md")), "a.md"],
  ["the old name", (folder) => renameSync(join(folder, "a.md"), join(folder, "z.md")), "a.md"],
  ["the new name", (folder) => renameSync(join(folder, "a.md"), join(folder, "z.md")), "z.md"],
  ["a new link", (folder) => symlinkSync("a.md", join(folder, "link.md")), "link.md"],
  [
    "a save by way of a temporary file",
    (folder) => {
      writeFileSync(join(folder, ".a.md.tmp"), "three");
      renameSync(join(folder, ".a.md.tmp"), join(folder, "a.md"));
    },
    "a.md",
  ],
])("[core.watcher.events] %s is reported", async (_, change, name) => {
  const { folder, batches } = await watched();
  change(folder);
  await reportOf(batches, join(folder, name));
});

test("[core.watcher.settled] changes close together are reported once", async () => {
  const { events, listeners } = unreliableEvents(0);
  const { folder, batches } = await watched({ events, debounceMs: 50, maxDelayMs: 10_000 });
  for (let index = 0; index < 20; index++) {
    listeners[0]?.([{ path: join(folder, `file-${index}.md`), type: "create" }]);
  }
  await until(() => batches.length > 0);
  await sleep(200);

  expect(batches).toHaveLength(1);
  expect(batches[0]?.overflow).toBe(false);
  expect(batches[0]?.paths).toHaveLength(20);
});

test("changes without a pause are still reported", async () => {
  const { folder, batches } = await watched({ debounceMs: 5_000, maxDelayMs: 300 });
  let writing = true;
  const writer = (async () => {
    for (let index = 0; writing; index++) {
      writeFileSync(join(folder, "a.md"), String(index));
      await sleep(10);
    }
  })();
  await until(() => batches.length >= 2);
  writing = false;
  await writer;
});

test("[core.watcher.new-folders] later changes of files in newly created folders are reported", async () => {
  const { folder, batches } = await watched();
  mkdirSync(join(folder, "x/y/z"), { recursive: true });
  writeFileSync(join(folder, "x/y/z/deep.md"), "deep");
  await reportOf(batches, join(folder, "x/y/z/deep.md"), true);

  await isHeardAgain(batches, join(folder, "x/y/z/deep.md"));
});

test("a folder moved here with its contents is watched from then on", async () => {
  const { folder, batches } = await watched();
  const elsewhere = join(top, `elsewhere-${counter++}`);
  mkdirSync(join(elsewhere, "one/two"), { recursive: true });
  writeFileSync(join(elsewhere, "one/two/deep.md"), "deep");
  renameSync(elsewhere, join(folder, "moved"));
  await reportOf(batches, join(folder, "moved"), true);
  await isHeardAgain(batches, join(folder, "moved/one/two/deep.md"));

  renameSync(join(folder, "moved"), join(folder, "renamed"));
  await isHeardAgain(batches, join(folder, "renamed/one/two/deep.md"));
});

test("[core.watcher.folder-returns] a watched folder that is deleted and recreated is watched again", async () => {
  const { folder, batches } = await watched({ folderPollMs: 100 });
  for (let turn = 0; turn < 3; turn++) {
    batches.length = 0;
    rmSync(folder, { recursive: true });
    await until(() => batches.some(({ overflow }) => overflow));
    batches.length = 0;
    mkdirSync(folder);
    await until(() => batches.some(({ overflow }) => overflow));
    await isHeardAgain(batches, join(folder, "again.md"));
  }
});

test("a folder replaced by another of the same name is detected", async () => {
  const { folder, batches } = await watched({ folderPollMs: 100 });
  renameSync(folder, `${folder}-old`);
  mkdirSync(folder);
  await until(() => batches.some(({ overflow }) => overflow));

  await isHeardAgain(batches, join(folder, "new.md"));
});

test("a folder moved away and back between two checks is scanned again", async () => {
  const { folder, batches } = await watched({ folderPollMs: 1_000 });
  for (let turn = 0; turn < 3; turn++) {
    batches.length = 0;
    renameSync(folder, `${folder}-away`);
    await until(() => batches.length > 0);
    batches.length = 0;
    renameSync(`${folder}-away`, folder);
    await until(() => batches.some(({ overflow }) => overflow));
    await isHeardAgain(batches, join(folder, "again.md"));
  }
});

test("a missing folder is watched once it is created", async () => {
  const folder = join(top, "later");
  const batches: FileChangeBatch[] = [];
  open.push(await watchFolders([folder], (batch) => batches.push(batch), { folderPollMs: 50 }));
  mkdirSync(folder);
  await until(() => batches.some(({ overflow }) => overflow));
  await isHeardAgain(batches, join(folder, "new.md"));
});

test("a subfolder moved away and deleted elsewhere leaves the rest watched", async () => {
  const { folder, batches } = await watched({ unwatchedPollMs: 200 });
  mkdirSync(join(folder, "sub/below/it"), { recursive: true });
  await reportOf(batches, join(folder, "sub/below"), true);
  await sleep(300);
  renameSync(join(folder, "sub"), join(top, "gone"));
  rmSync(join(top, "gone"), { recursive: true });
  mkdirSync(join(folder, "fresh"));

  await isHeardAgain(batches, join(folder, "fresh/b.md"));
});

test("several folders are watched together, except package folders", async () => {
  const folders = ["one", "two"].map((name) => join(top, `several-${name}`));
  for (const folder of folders) mkdirSync(join(folder, "node_modules/x"), { recursive: true });
  const batches: FileChangeBatch[] = [];
  open.push(await watchFolders(folders, (batch) => batches.push(batch)));
  for (const folder of folders) writeFileSync(join(folder, "node_modules/x/README.md"), "x");
  for (const folder of folders) writeFileSync(join(folder, "own.md"), "x");

  for (const folder of folders) await reportOf(batches, join(folder, "own.md"));
  expect(batches.flatMap(({ paths }) => paths).join("\n")).not.toContain("node_modules");
});

test("[core.watcher.overflow] too many changes to list are reported as a request for a full scan", async () => {
  const { folder, batches } = await watched();
  for (let index = 0; index < 1_500; index++) writeFileSync(join(folder, `${index}.md`), "x");
  await until(() => batches.some(({ overflow }) => overflow));
});

/** Simulates a system that refuses to watch, or that loses events. */
function unreliableEvents(refusals: number) {
  const listeners: Parameters<FileEventSource["listen"]>[1][] = [];
  let asked = 0;
  const events: FileEventSource = {
    async listen(_folder, onEvents) {
      if (asked++ < refusals) throw new Error("No space left on device");
      listeners.push(onEvents);
      return async () => {};
    },
    async close() {},
  };
  return { events, listeners, asked: () => asked };
}

test("[core.watcher.polling] without file system events, the folders are polled", async () => {
  const { events } = unreliableEvents(Number.POSITIVE_INFINITY);
  const { batches } = await watched({ events, unwatchedPollMs: 50, debounceMs: 5 });
  await until(() => batches.length >= 3);
  expect(batches.every(({ overflow }) => overflow)).toBe(true);
});

test("a folder that could not be watched is retried, and polling stops once it succeeds", async () => {
  const { events, asked } = unreliableEvents(4);
  const { batches } = await watched({
    events,
    unwatchedPollMs: 30,
    debounceMs: 5,
    folderPollMs: 30,
    retryMs: 60,
  });
  await until(() => asked() === 5);
  await sleep(200);
  const before = batches.length;
  await sleep(300);
  expect(batches).toHaveLength(before);
});

test("lost events request a full scan, and the folder is watched again", async () => {
  const { events, listeners } = unreliableEvents(0);
  const { batches } = await watched({ events, debounceMs: 5 });
  listeners[0]?.(undefined);
  await until(() => batches.length === 1);
  expect(batches[0]).toEqual({ paths: [], overflow: true });
  expect(listeners).toHaveLength(2);
});

test("nothing is reported after closing", async () => {
  const { folder, batches, watcher } = await watched();
  writeFileSync(join(folder, "b.md"), "x");
  await watcher.close();
  const before = batches.length;
  writeFileSync(join(folder, "c.md"), "x");
  await sleep(400);
  expect(batches).toHaveLength(before);
});

test("[core.watcher.exit] a watcher does not keep its process alive, even if the folder is busy", async () => {
  const source = childSource(`
    import { writeFileSync } from "node:fs";
    import { watchFolders } from "./src/kernel/watching/watcher.ts";
    const folder = process.argv[2];
    await watchFolders([folder], () => undefined, { debounceMs: 1 });
    setInterval(() => writeFileSync(folder + "/busy.md", String(Math.random())), 1).unref();
    setTimeout(() => process.argv[3] === "exit" && process.exit(0), Number(process.argv[4]));
  `);
  for (const [index, way] of ["end", "exit", "end", "exit", "end", "exit"].entries()) {
    const folder = mkdtempSync(join(top, "exit-"));
    const child = spawn(process.execPath, [source, folder, way, String(index * 60)], {
      stdio: "inherit",
    });
    expect(await once(child, "exit")).toEqual([0, null]);
  }
});
