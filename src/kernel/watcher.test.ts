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
import { childSource } from "../../tests/child-source.ts";
import type { FileEvents } from "./file-events.ts";
import { type Batch, type Watcher, type WatchOptions, watchFolders } from "./watcher.ts";

const top = realpathSync(mkdtempSync(join(tmpdir(), "lectern-watcher-")));
const open: Watcher[] = [];
let counter = 0;

afterEach(async () => {
  for (const watcher of open.splice(0)) await watcher.close();
});
afterAll(() => rmSync(top, { recursive: true, force: true }));

/** A folder with one file in it, watched; and what was told about it. */
async function watched(options: WatchOptions = {}) {
  const folder = join(top, `folder-${counter++}`);
  mkdirSync(join(folder, "sub"), { recursive: true });
  writeFileSync(join(folder, "a.md"), "one");
  const batches: Batch[] = [];
  const watcher = await watchFolders([folder], (batch) => batches.push(batch), options);
  open.push(watcher);
  return { folder, batches, watcher };
}

/** Waits until a batch tells of a path, by its name or by asking to look at everything. */
async function toldOf(batches: Batch[], path: string, allowOverflow = false): Promise<void> {
  await until(() =>
    batches.some(({ paths, overflow }) => paths.includes(path) || (allowOverflow && overflow)),
  );
}

/** Writes now and then until a batch tells of it by name: the folder is heard of again. */
async function isHeardAgain(batches: Batch[], path: string): Promise<void> {
  batches.length = 0;
  await until(() => {
    appendFileSync(path, "more");
    return batches.some(({ paths }) => paths.includes(path));
  }, 200);
}

async function until(condition: () => boolean, everyMs = 10): Promise<void> {
  const end = Date.now() + 15_000;
  while (!condition()) {
    if (Date.now() > end) throw new Error("It did not happen within 15 s.");
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
])("[house.watcher.events] %s is told", async (_, change, name) => {
  const { folder, batches } = await watched();
  change(folder);
  await toldOf(batches, join(folder, name));
});

test("[house.watcher.settled] changes that come together are told once", async () => {
  const { folder, batches } = await watched({ quietMs: 800, longestMs: 10_000 });
  for (let index = 0; index < 20; index++) {
    writeFileSync(join(folder, `file-${index}.md`), "x");
    await sleep(5);
  }
  await until(() => batches.length > 0);
  await sleep(1_200);

  expect(batches).toHaveLength(1);
  expect(batches[0]?.overflow).toBe(false);
  expect(batches[0]?.paths).toHaveLength(20);
});

test("changes that never pause are told all the same", async () => {
  const { folder, batches } = await watched({ quietMs: 5_000, longestMs: 300 });
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

test("[house.watcher.new-folders] files in folders that were filled at once are heard of from then on", async () => {
  const { folder, batches } = await watched();
  mkdirSync(join(folder, "x/y/z"), { recursive: true });
  writeFileSync(join(folder, "x/y/z/deep.md"), "deep");
  await toldOf(batches, join(folder, "x/y/z/deep.md"), true);

  await isHeardAgain(batches, join(folder, "x/y/z/deep.md"));
});

test("a folder that is moved here with all it holds is heard of from then on", async () => {
  const { folder, batches } = await watched();
  const elsewhere = join(top, `elsewhere-${counter++}`);
  mkdirSync(join(elsewhere, "one/two"), { recursive: true });
  writeFileSync(join(elsewhere, "one/two/deep.md"), "deep");
  renameSync(elsewhere, join(folder, "moved"));
  await toldOf(batches, join(folder, "moved"), true);
  await isHeardAgain(batches, join(folder, "moved/one/two/deep.md"));

  renameSync(join(folder, "moved"), join(folder, "renamed"));
  await isHeardAgain(batches, join(folder, "renamed/one/two/deep.md"));
});

test("[house.watcher.folder-returns] a watched folder that is removed and made again is watched again", async () => {
  const { folder, batches } = await watched({ lookMs: 100 });
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

test("a folder that is exchanged for another of the same name is noticed", async () => {
  const { folder, batches } = await watched({ lookMs: 100 });
  renameSync(folder, `${folder}-old`);
  mkdirSync(folder);
  await until(() => batches.some(({ overflow }) => overflow));

  await isHeardAgain(batches, join(folder, "new.md"));
});

test("a folder that is moved away and back before it is looked for is looked through again", async () => {
  const { folder, batches } = await watched({ lookMs: 1_000 });
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

test("a folder that is not there yet is watched when it comes", async () => {
  const folder = join(top, "later");
  const batches: Batch[] = [];
  open.push(await watchFolders([folder], (batch) => batches.push(batch), { lookMs: 50 }));
  mkdirSync(folder);
  await until(() => batches.some(({ overflow }) => overflow));
  await isHeardAgain(batches, join(folder, "new.md"));
});

test("a subfolder that was moved away and removed there leaves the rest watched", async () => {
  const { folder, batches } = await watched({ blindMs: 200 });
  mkdirSync(join(folder, "sub/below/it"), { recursive: true });
  await toldOf(batches, join(folder, "sub/below"), true);
  await sleep(300);
  renameSync(join(folder, "sub"), join(top, "gone"));
  rmSync(join(top, "gone"), { recursive: true });
  mkdirSync(join(folder, "fresh"));

  await isHeardAgain(batches, join(folder, "fresh/b.md"));
});

test("several folders are watched at once, and folders of packages are left out", async () => {
  const folders = ["one", "two"].map((name) => join(top, `several-${name}`));
  for (const folder of folders) mkdirSync(join(folder, "node_modules/x"), { recursive: true });
  const batches: Batch[] = [];
  open.push(await watchFolders(folders, (batch) => batches.push(batch)));
  for (const folder of folders) writeFileSync(join(folder, "node_modules/x/README.md"), "x");
  for (const folder of folders) writeFileSync(join(folder, "own.md"), "x");

  for (const folder of folders) await toldOf(batches, join(folder, "own.md"));
  expect(batches.flatMap(({ paths }) => paths).join("\n")).not.toContain("node_modules");
});

test("[house.watcher.overflow] more changes than are worth naming ask to look at everything", async () => {
  const { folder, batches } = await watched();
  for (let index = 0; index < 1_500; index++) writeFileSync(join(folder, `${index}.md`), "x");
  await until(() => batches.some(({ overflow }) => overflow));
});

/** Stands for a system that refuses to watch, or that loses events on the way. */
function troubledEvents(refusals: number) {
  const hearers: ((events: undefined) => void)[] = [];
  let asked = 0;
  const events: FileEvents = {
    async listen(_folder, hear) {
      if (asked++ < refusals) throw new Error("No space left on device");
      hearers.push(hear);
      return async () => {};
    },
    async close() {},
  };
  return { events, hearers, asked: () => asked };
}

test("[house.watcher.blind] where the system cannot watch, everything is looked at again and again", async () => {
  const { events } = troubledEvents(Number.POSITIVE_INFINITY);
  const { batches } = await watched({ events, blindMs: 50, quietMs: 5 });
  await until(() => batches.length >= 3);
  expect(batches.every(({ overflow }) => overflow)).toBe(true);
});

test("a folder that could not be watched is tried again, and is quiet once it can be", async () => {
  const { events, asked } = troubledEvents(4);
  const { batches } = await watched({ events, blindMs: 30, quietMs: 5, lookMs: 30, retryMs: 60 });
  await until(() => asked() === 5);
  await sleep(200);
  const before = batches.length;
  await sleep(300);
  expect(batches).toHaveLength(before);
});

test("lost events ask to look at everything, and the folder is listened to anew", async () => {
  const { events, hearers } = troubledEvents(0);
  const { batches } = await watched({ events, quietMs: 5 });
  hearers[0]?.(undefined);
  await until(() => batches.length === 1);
  expect(batches[0]).toEqual({ paths: [], overflow: true });
  expect(hearers).toHaveLength(2);
});

test("after closing nothing more is told", async () => {
  const { folder, batches, watcher } = await watched();
  writeFileSync(join(folder, "b.md"), "x");
  await watcher.close();
  const before = batches.length;
  writeFileSync(join(folder, "c.md"), "x");
  await sleep(400);
  expect(batches).toHaveLength(before);
});

test("[house.watcher.exit] a watcher does not keep its process alive, however busy the folder is", async () => {
  const source = childSource(`
    import { writeFileSync } from "node:fs";
    import { watchFolders } from "./src/kernel/watcher.ts";
    const folder = process.argv[2];
    await watchFolders([folder], () => undefined, { quietMs: 1 });
    setInterval(() => writeFileSync(folder + "/busy.md", String(Math.random())), 1).unref();
    setTimeout(() => process.argv[3] === "exit" && process.exit(0), Number(process.argv[4]));
  `);
  for (const [index, way] of ["end", "exit", "end", "exit", "end", "exit"].entries()) {
    const folder = mkdtempSync(join(top, "exit-"));
    const child = spawn(process.execPath, [source, folder, way, String(index * 60)], {
      stdio: "inherit",
      timeout: 15_000,
    });
    expect(await once(child, "exit")).toEqual([0, null]);
  }
}, 60_000);
