import { readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readerWithConverters } from "../../tests/fixtures/converters.ts";
import { openFolders } from "../../tests/fixtures/watched-folders.ts";
import { hashOf } from "./hashing.ts";
import { asideOf, putAside } from "./kept-file.ts";
import { isAsRead, lookAt, readInto } from "./seen-file.ts";

const reader = await readerWithConverters();
const hour = 3_600_000;
const start = Date.now();

beforeEach(() => vi.useFakeTimers({ toFake: ["Date"], now: start }));
afterEach(() => vi.useRealTimers());

type Folders = ReturnType<typeof openFolders>;

const setClock = (ms: number) => vi.setSystemTime(start + ms);

/** Writes a file as it would be written at that time of the clock, as far as anybody can set it. */
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
])(
  "[house.documents.clock] after the clock has gone %s, what is written is taken in",
  async (_, jump) => {
    const folders = openFolders();
    const write = writer(folders);
    const { intake, texts } = folders.open();
    write("notes/a.md", "old", -hour);
    await intake.scan(folders.roots);
    await intake.scan(folders.roots);
    setClock(jump);
    write("notes/a.md", "new", jump);
    const { changed } = await intake.scan(folders.roots);

    expect(changed).toBe(1);
    expect(texts()).toEqual({ "notes/a.md": "new" });
  },
);

test("[house.documents.clock] a folder that looks the same is read again once the clock has gone back", async () => {
  const folders = openFolders();
  const write = writer(folders);
  const { intake, texts, db } = folders.open();
  write("notes/a.md", "old", -hour);
  for (let turn = 0; turn < 3; turn++) await intake.scan(folders.roots);
  setClock(-2 * hour);
  write("notes/a.md", "new", -hour);
  // A coarse clock, or one that was set to the very moment, leaves the same times.
  db.run("UPDATE documents SET changed = ?", statSync(folders.place("notes/a.md")).ctimeMs);
  db.run(
    "UPDATE whole_roots SET listing = ? || listing",
    `${db.get<{ user_version: number }>("PRAGMA user_version")?.user_version}//`,
  );
  await intake.scan(folders.roots);
  expect(texts()).toEqual({ "notes/a.md": "new" });
});

test("[house.documents.times] a change of the same length is found though its author set the time back", async () => {
  const folders = openFolders();
  const write = writer(folders);
  const { intake, texts } = folders.open();
  write("notes/a.md", "old", -hour);
  for (let turn = 0; turn < 3; turn++) await intake.scan(folders.roots);
  write("notes/a.md", "new", -hour);
  await intake.scan(folders.roots);
  expect(texts()).toEqual({ "notes/a.md": "new" });
});

test.each([
  ["2099", Date.UTC(2099, 0, 1) - start],
  ["1970", 1_000 - start],
  ["before 1970", -86_400_000 - start],
])(
  "[house.documents.times] a file of the year %s is taken in, changed and removed",
  async (_, time) => {
    const folders = openFolders();
    const write = writer(folders);
    const { intake, texts } = folders.open();
    write("notes/a.md", "one", time);
    for (let turn = 0; turn < 3; turn++) await intake.scan(folders.roots);
    write("notes/a.md", "two", time);
    await intake.scan(folders.roots);
    expect(texts()).toEqual({ "notes/a.md": "two" });
    write("notes/a.md", "three", -hour);
    await intake.scan(folders.roots);
    expect(texts()).toEqual({ "notes/a.md": "three" });
    folders.remove("notes/a.md");
    await intake.scan(folders.roots);
    expect(texts()).toEqual({});
  },
);

test.each([
  ["a newer text", (folders: Folders) => writer(folders)("notes/0.md", "new", -hour), ["new"]],
  ["its end", (folders: Folders) => folders.remove("notes/0.md"), []],
])(
  "[house.documents.order] whoever read a file before another recorded %s puts nothing old in its place",
  async (_, change, left) => {
    const folders = openFolders({ reader });
    const write = writer(folders);
    const [ours, theirs] = [folders.open(), folders.open()];
    write("notes/0.md", "older", -hour);
    await theirs.intake.scan(folders.roots);
    write("notes/0.md", "old", -hour);
    write("notes/z.html", "<p>This one is converted by a child, and that takes its time.", -hour);
    const scan = ours.intake.scan(folders.roots.map((root) => ({ ...root, pattern: "**/*" })));
    // By now the first file is read, and the second is with the child.
    await setImmediate();
    change(folders);
    // The other process has a clock of its own.
    setClock(-2 * hour);
    await theirs.intake.scan(folders.roots);
    await scan;
    const row = ours.documents.find("notes", "0.md");
    expect(row ? [row.hash] : []).toEqual(left.map((text) => hashOf(Buffer.from(text))));
  },
);

test("[house.documents.clock] a remembered reading is not believed once the clock has gone back", () => {
  const folders = openFolders();
  writer(folders)("notes/a.md", "old", -hour);
  // The ctime is the machine's own, so the clock has to be ahead of it for the file to be settled.
  setClock(hour);
  const place = folders.place("notes/a.md");
  const seen = lookAt(place);
  if (!seen) throw new Error("It is there.");
  const reading = readInto(seen, Buffer.from("old"), undefined, String);
  expect(isAsRead(seen, reading)).toBe(true);
  setClock(0);
  expect(isAsRead(seen, reading)).toBe(false);
});

test("[house.store.aside] what is damaged twice at one time of the clock is kept twice", () => {
  const folders = openFolders();
  const kept = folders.place("notes/config.json");
  for (const text of ["one", "two"]) {
    writeFileSync(kept, text);
    putAside(kept);
  }
  expect(readdirSync(dirname(kept))).toHaveLength(2);
  expect(basename(asideOf(kept))).toMatch(/^config\.json\.damaged-[\dTZ-]+$/);
});
