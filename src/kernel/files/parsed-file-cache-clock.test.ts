import { readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readerWithConverters } from "../../../tests/fixtures/files/converters.ts";
import { openFolders } from "../../../tests/fixtures/files/watched-folders.ts";
import { asidePath, moveAside } from "./atomic-file.ts";
import { sha256Hex } from "./hashes.ts";
import { isUnchanged, observeFile, parseIfChanged } from "./parsed-file-cache.ts";

const reader = await readerWithConverters();
const hour = 3_600_000;
const start = Date.now();

beforeEach(() => vi.useFakeTimers({ toFake: ["Date"], now: start }));
afterEach(() => vi.useRealTimers());

type Folders = ReturnType<typeof openFolders>;

const setClock = (ms: number) => vi.setSystemTime(start + ms);

/** Writes a file with the given modification time. The change time cannot be set. */
function writer({ put, place }: Folders) {
  return (path: string, text: string, time: number) => {
    put(path, text);
    utimesSync(place(path), new Date(start + time), new Date(start + time));
  };
}

test.each([
  ["an hour back", -hour],
  ["a year back", -8760 * hour],
  ["an hour ahead", hour],
])("[core.documents.clock] after the clock was set %s, new content is indexed", async (_, jump) => {
  const folders = openFolders();
  const write = writer(folders);
  const { indexer, texts } = folders.open();
  write("notes/a.md", "old", -hour);
  await indexer.scan(folders.roots);
  await indexer.scan(folders.roots);
  setClock(jump);
  write("notes/a.md", "new", jump);
  const { changed } = await indexer.scan(folders.roots);

  expect(changed).toBe(1);
  expect(texts()).toEqual({ "notes/a.md": "new" });
});

test("[core.documents.clock] a folder that looks unchanged is scanned again after the clock went back", async () => {
  const folders = openFolders();
  const write = writer(folders);
  const { indexer, texts, db } = folders.open();
  write("notes/a.md", "old", -hour);
  for (let turn = 0; turn < 3; turn++) await indexer.scan(folders.roots);
  setClock(-2 * hour);
  write("notes/a.md", "new", -hour);
  // A coarse clock, or one set to the exact moment, gives the same times.
  db.run("UPDATE documents SET changed = ?", statSync(folders.place("notes/a.md")).ctimeMs);
  db.run(
    "UPDATE whole_roots SET listing = ? || listing",
    `${db.get<{ user_version: number }>("PRAGMA user_version")?.user_version}//`,
  );
  await indexer.scan(folders.roots);
  expect(texts()).toEqual({ "notes/a.md": "new" });
});

test("[core.documents.times] a change of equal length is found even if the modification time was set back", async () => {
  const folders = openFolders();
  const write = writer(folders);
  const { indexer, texts } = folders.open();
  write("notes/a.md", "old", -hour);
  for (let turn = 0; turn < 3; turn++) await indexer.scan(folders.roots);
  write("notes/a.md", "new", -hour);
  await indexer.scan(folders.roots);
  expect(texts()).toEqual({ "notes/a.md": "new" });
});

test.each([
  ["2099", Date.UTC(2099, 0, 1) - start],
  ["1970", 1_000 - start],
  ["before 1970", -86_400_000 - start],
])(
  "[core.documents.times] a file of the year %s is indexed, changed and removed",
  async (_, time) => {
    const folders = openFolders();
    const write = writer(folders);
    const { indexer, texts } = folders.open();
    write("notes/a.md", "one", time);
    for (let turn = 0; turn < 3; turn++) await indexer.scan(folders.roots);
    write("notes/a.md", "two", time);
    await indexer.scan(folders.roots);
    expect(texts()).toEqual({ "notes/a.md": "two" });
    write("notes/a.md", "three", -hour);
    await indexer.scan(folders.roots);
    expect(texts()).toEqual({ "notes/a.md": "three" });
    folders.remove("notes/a.md");
    await indexer.scan(folders.roots);
    expect(texts()).toEqual({});
  },
);

test.each([
  ["a newer text", (folders: Folders) => writer(folders)("notes/0.md", "new", -hour), ["new"]],
  ["its end", (folders: Folders) => folders.remove("notes/0.md"), []],
])(
  "[core.documents.order] a process that read a file before another recorded %s does not restore old content",
  async (_, change, left) => {
    const folders = openFolders({ reader });
    const write = writer(folders);
    const [ours, theirs] = [folders.open(), folders.open()];
    write("notes/0.md", "older", -hour);
    await theirs.indexer.scan(folders.roots);
    write("notes/0.md", "old", -hour);
    write("notes/z.html", "<p>This one is converted by a child, and that takes its time.", -hour);
    const scan = ours.indexer.scan(folders.roots.map((root) => ({ ...root, pattern: "**/*" })));
    // At this point the first file is read, and the child is reading the second.
    await setImmediate();
    change(folders);
    // The other process has its own clock.
    setClock(-2 * hour);
    await theirs.indexer.scan(folders.roots);
    await scan;
    const row = ours.documents.find("notes", "0.md");
    expect(row ? [row.hash] : []).toEqual(left.map((text) => sha256Hex(Buffer.from(text))));
  },
);

test("[core.documents.clock] a cached parse is not used after the clock went back", () => {
  const folders = openFolders();
  writer(folders)("notes/a.md", "old", -hour);
  // The ctime cannot be set, so the clock must be ahead of it for the file to count as stable.
  setClock(hour);
  const place = folders.place("notes/a.md");
  const seen = observeFile(place);
  if (!seen) throw new Error("It is there.");
  const reading = parseIfChanged(seen, Buffer.from("old"), undefined, String);
  expect(isUnchanged(seen, reading)).toBe(true);
  setClock(0);
  expect(isUnchanged(seen, reading)).toBe(false);
});

test("[core.store.aside] two files moved aside in the same clock tick are both kept", () => {
  const folders = openFolders();
  const kept = folders.place("notes/config.json");
  for (const text of ["one", "two"]) {
    writeFileSync(kept, text);
    moveAside(kept);
  }
  expect(readdirSync(dirname(kept))).toHaveLength(2);
  expect(basename(asidePath(kept))).toMatch(/^config\.json\.damaged-[\dTZ-]+$/);
});
