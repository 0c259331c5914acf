import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import type { TakeFiles } from "./batch.ts";
import { makeBoundary } from "./boundary.ts";
import { convertedTables, openConverted } from "./converted.ts";
import { openDatabase } from "./database.ts";
import { type DocumentChanges, documentTables, openDocuments, type Root } from "./documents.ts";
import { Failure } from "./failure.ts";
import { openReader } from "./formats/reader.ts";
import type { Absorber } from "./handover.ts";
import { type Intake, openIntake } from "./intake.ts";
import { makeLog } from "./log.ts";
import { noticeTables, openNotices } from "./notices.ts";
import { derived, migrate } from "./tables.ts";

let folder: string;
let root: Root;
let heard: { added: string[]; changed: string[]; removed: string[] }[];
let told: string[];
let gone: Set<string>;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "lectern-intake-")));
  root = { name: "notes", path: folder, pattern: "**/*.md" };
  heard = [];
  told = [];
  gone = new Set();
});

test("[house.documents.diff] a scan hands over what was added, changed and removed, and no more", async () => {
  const { intake } = open();
  put("a.md", "one");
  put("sub/b.md", "two");
  put("c.md", "three");
  await intake.scan([root]);
  put("a.md", "other");
  rmSync(join(folder, "c.md"));
  await intake.scan([root]);
  await intake.scan([root]);

  expect(heard).toEqual([
    { added: ["a.md=one", "c.md=three", "sub/b.md=two"], changed: [], removed: [] },
    { added: [], changed: ["a.md=other"], removed: ["c.md"] },
  ]);
});

test("a folder that may not be read is named, and its neighbours are read", async () => {
  const { intake } = open();
  put("open/a.md", "one");
  put("closed/b.md", "two");
  chmodSync(join(folder, "closed"), 0o000);

  const { added, skipped } = await asNobodySpecial(() => intake.scan([root]));

  expect(added).toBe(1);
  expect(skipped).toEqual([{ path: "notes/closed", reason: "this folder may not be read" }]);
});

test("a root that lies in a closed folder is told, and keeps no other from being read", async () => {
  const { intake } = open();
  put("closed/inner/a.md", "one");
  put("open/b.md", "two");
  chmodSync(join(folder, "closed"), 0o000);
  const inner = { ...root, name: "inner", path: join(folder, "closed", "inner") };
  const other = { ...root, name: "other", path: join(folder, "open") };

  const { added, skipped } = await asNobodySpecial(() => intake.scan([inner, other]));

  expect(added).toBe(1);
  expect(skipped).toEqual([{ path: "inner", reason: "this folder may not be read" }]);
  expect(intake.unread([inner, other])).toEqual([]);
});

test("a folder whose names may be read, but not its files, is named too", async () => {
  const { intake } = open();
  put("names/a.md", "one");
  chmodSync(join(folder, "names"), 0o444);

  const { skipped } = await asNobodySpecial(() => intake.scan([root]));

  expect(skipped).toEqual([{ path: "notes/names", reason: "this folder may not be read" }]);
});

test("[house.documents.unreadable] documents of a folder that cannot be read are kept, until it can be told that they are gone", async () => {
  const { intake, documents } = open();
  put("closed/a.md", "one");
  put("closed/b.md", "two");
  put("open/c.md", "three");
  await intake.scan([root]);
  const closed = join(folder, "closed");
  chmodSync(closed, 0o000);
  for (const look of [
    () => intake.scan([root]),
    () => intake.scan([root]),
    () => intake.lookAt([root], [closed, join(closed, "a.md"), folder]),
  ]) {
    expect(await asNobodySpecial(look)).toMatchObject({ added: 0, changed: 0, removed: 0 });
  }
  expect(documents.count()).toBe(3);

  chmodSync(closed, 0o755);
  rmSync(join(closed, "b.md"));
  expect(await intake.scan([root])).toMatchObject({ removed: 1 });
  chmodSync(closed, 0o000);
  await asNobodySpecial(() => intake.scan([root]));
  await asNobodySpecial(() => intake.scan([root]));
  chmodSync(closed, 0o755);
  rmSync(closed, { recursive: true });
  expect(await intake.scan([root])).toMatchObject({ removed: 1 });
  expect(documents.count()).toBe(1);
});

test("a root that is a link is there", async () => {
  const { intake } = open();
  put("real/a.md", "one");
  symlinkSync(join(folder, "real"), join(folder, "link"));

  const { added, skipped } = await intake.scan([{ ...root, path: join(folder, "link") }]);

  expect({ added, skipped }).toEqual({ added: 1, skipped: [] });
});

test("[house.documents.hash] a file that was only touched is no change", async () => {
  const { intake } = open();
  put("a.md", "one");
  await intake.scan([root]);
  utimesSync(join(folder, "a.md"), new Date(), new Date(Date.now() + 5_000));
  const result = await intake.scan([root]);

  expect(result).toMatchObject({ added: 0, changed: 0, removed: 0 });
  expect(heard).toHaveLength(1);
});

test("a change of the same length within one tick of the clock is seen", async () => {
  const { intake } = open();
  const time = new Date();
  put("a.md", "one");
  utimesSync(join(folder, "a.md"), time, time);
  await intake.scan([root]);
  put("a.md", "two");
  utimesSync(join(folder, "a.md"), time, time);
  await intake.scan([root]);

  expect(heard.at(-1)?.changed).toEqual(["a.md=two"]);
});

test("single places are looked at: files, folders, and what is no longer there", async () => {
  const { intake } = open();
  put("a.md", "one");
  put("old/b.md", "two");
  await intake.scan([root]);
  renameSync(join(folder, "old"), join(folder, "new"));
  put("c.md", "three");
  put("d.txt", "no document");
  await intake.lookAt(
    [root],
    [...["old", "new", "c.md", "d.txt"].map((name) => join(folder, name)), tmpdir()],
  );

  expect(heard.slice(1)).toEqual([
    { added: [], changed: [], removed: ["old/b.md"] },
    { added: ["c.md=three", "new/b.md=two"], changed: [], removed: [] },
  ]);
});

test("a folder that vanished takes all its documents with it, and no sibling named alike", async () => {
  const { intake, documents } = open();
  for (const path of ["a/1.md", "a/b/2.md", "a-b/3.md", "a_b/4.md"]) put(path, path);
  await intake.scan([root]);
  rmSync(join(folder, "a"), { recursive: true });
  await intake.lookAt([root], [join(folder, "a/b"), join(folder, "a")]);

  expect(documents.paths()).toEqual(["notes/a-b/3.md", "notes/a_b/4.md"]);
  expect(heard.at(-1)?.removed).toEqual(["a/1.md", "a/b/2.md"]);
});

test("a file that turns into something else than text is a document no longer", async () => {
  const { intake, documents } = open();
  put("a.md", "one");
  put("b.md", "two");
  await intake.scan([root]);
  writeFileSync(join(folder, "a.md"), new Uint8Array([0, 1]));
  await intake.scan([root]);
  truncateSync(join(folder, "b.md"), 16 * 1024 * 1024 + 1);
  await intake.lookAt([root], [join(folder, "b.md")]);

  expect(documents.paths()).toEqual([]);
});

test("what cannot be read as text is named, not passed over in silence", async () => {
  const { intake } = open();
  put("a.md", "one");
  writeFileSync(join(folder, "b.md"), new Uint8Array([137, 80, 78, 71, 0, 0, 1]));
  const { added, skipped } = await intake.scan([root]);

  expect(added).toBe(1);
  expect(skipped).toEqual([{ path: "notes/b.md", reason: "it is not text" }]);
});

test("a root whose folder is gone is named, and its documents go with it", async () => {
  const { intake, documents } = open();
  put("a.md", "one");
  await intake.scan([root]);
  rmSync(folder, { recursive: true });
  const { skipped, removed } = await intake.scan([root]);

  expect([documents.count(), removed]).toEqual([0, 1]);
  expect(skipped).toEqual([{ path: "notes", reason: "its folder is not there" }]);
});

test("a file that is too large is named too", async () => {
  const { intake } = open();
  put("a.md", "one");
  truncateSync(join(folder, "a.md"), 16 * 1024 * 1024 + 1);

  expect((await intake.scan([root])).skipped.map(({ path }) => path)).toEqual(["notes/a.md"]);
});

test("documents of a root that is configured no longer are dropped", async () => {
  const { intake, documents } = open();
  put("a.md", "one");
  await intake.scan([root]);
  intake.forgetAllBut(() => [{ ...root, name: "other" }]);

  expect(documents.count()).toBe(0);
  expect(heard.at(-1)?.removed).toEqual(["a.md"]);
});

test("[house.documents.meanwhile] what is read of a root that was removed meanwhile is not kept", async () => {
  const { intake, documents } = open();
  for (let index = 0; index < 250; index++) put(`${index}.md`, "words");
  await intake.scan([root], { onProgress: () => gone.add("notes") });

  expect(documents.count()).toBe(200);
  gone.clear();
  expect(intake.unread([root])).toEqual([root]);
});

test("[house.documents.unread] a root is unread until a scan has come to its end, and when it is defined anew", async () => {
  const { intake } = open();
  put("a.md", "one");
  await intake.scan([root], { signal: AbortSignal.abort() });
  expect(intake.unread([root])).toEqual([root]);
  await intake.scan([root]);
  expect(intake.unread([root])).toEqual([]);
  const other = { ...root, pattern: "*.txt" };
  expect(intake.unread([root, other])).toEqual([other]);
  intake.rename("notes", "papers");
  expect(intake.unread([root, { ...root, name: "papers" }])).toEqual([root]);
  intake.forget("papers");
  expect(intake.unread([{ ...root, name: "papers" }])).toHaveLength(1);
});

test("[house.boundary.links] a link that leads out of the collection is never read", async () => {
  const { intake, documents } = open();
  const outside = mkdtempSync(join(tmpdir(), "lectern-outside-"));
  writeFileSync(join(outside, "secret.md"), "secret");
  symlinkSync(join(outside, "secret.md"), join(folder, "leak.md"));
  symlinkSync(outside, join(folder, "leak"));
  await intake.scan([root]);
  await intake.lookAt([root], [join(folder, "leak.md"), join(folder, "leak", "secret.md")]);

  expect(documents.paths()).toEqual([]);
});

test("[house.documents.savepoint] a shelf that throws is marked, and the others go on", async () => {
  const broken: Absorber = {
    name: "broken",
    absorb: () => {
      throw new Error("no");
    },
  };
  const { intake, db } = open([broken]);
  put("a.md", "one");
  await intake.scan([root]);

  expect(heard).toHaveLength(1);
  expect(db.all("SELECT shelf FROM stale_shelves")).toEqual([{ shelf: "broken" }]);
});

test("[house.notices.after-commit] notices go out once for each batch, after it is recorded", async () => {
  const { intake } = open();
  put("a.md", "one");
  await intake.scan([root]);
  await intake.scan([root]);

  expect(told).toEqual(["documents.changed with 1"]);
});

test("a scan that is stopped says so", async () => {
  const { intake } = open();
  put("a.md", "one");

  expect(await intake.scan([root], { signal: AbortSignal.abort() })).toMatchObject({
    partial: true,
  });
});

test("[search.files.encoding] text keeps its letters whatever the encoding: UTF-16 by its mark, Windows-1252 by its letters", async () => {
  const { intake } = open();
  writeFileSync(join(folder, "a.md"), Buffer.from("\ufeffgrün", "utf16le"));
  writeFileSync(join(folder, "b.md"), Buffer.from([0x67, 0x72, 0xfc, 0x6e]));
  // One broken byte among letters of UTF-8 costs that byte.
  writeFileSync(join(folder, "c.md"), Buffer.from([0xc3, 0xbc, 0x20, 0xfc]));
  await intake.scan([root]);

  expect(heard[0]?.added).toEqual(["a.md=grün", "b.md=grün", "c.md=ü \ufffd"]);
});

test("[house.indexer.elsewhere] large batches are taken in elsewhere, small ones here", async () => {
  const sent: string[][] = [];
  const worker = open();
  const { intake, documents } = open([], async (batch, options) => {
    sent.push(batch.files.map(({ path }) => path));
    return worker.intake.take(batch, options);
  });
  put("small.md", "little");
  // One that was written just now would be looked at again.
  utimesSync(join(folder, "small.md"), 1_000, 1_000);
  await intake.scan([root]);
  expect(sent).toEqual([]);
  put("large.md", "much ".repeat(100_000));
  const { added, skipped } = await intake.scan([root]);

  expect({ added, skipped }).toEqual({ added: 1, skipped: [] });
  expect(sent).toEqual([["large.md"]]);
  expect(documents.paths()).toEqual(["notes/small.md"]);
  expect(worker.documents.paths()).toEqual(["notes/large.md"]);
});

test("[house.indexer.fatal] a document that ends the process that reads it is passed over, and the others are taken in", async () => {
  const worker = open();
  const { intake } = open([], async (batch, options) => {
    if (batch.files.some(({ path }) => path === "b.md")) {
      throw new Failure("too-large", "too-large", "This takes more memory than it may.");
    }
    return worker.intake.take(batch, options);
  });
  for (const name of ["a.md", "b.md", "c.md"]) put(name, name.repeat(20_000));
  const { added, skipped } = await intake.scan([root]);

  expect(added).toBe(2);
  expect(skipped).toEqual([
    { path: "notes/b.md", reason: "reading it takes too much time or memory" },
  ]);
  expect(worker.documents.paths()).toEqual(["notes/a.md", "notes/c.md"]);
});

function open(others: Absorber[] = [], elsewhere?: TakeFiles) {
  const db = openDatabase(":memory:");
  migrate(db, [
    { owner: "documents", tables: documentTables },
    { owner: "converted", tables: convertedTables },
    { owner: "notices", tables: noticeTables },
    { owner: "stale", tables: derived(1, "CREATE TABLE stale_shelves (shelf TEXT PRIMARY KEY);") },
  ]);
  const notices = openNotices(db);
  const documents = openDocuments(db);
  notices.subscribe(({ topic }) => told.push(`${topic} with ${documents.count()}`));
  const listener: Absorber = {
    name: "listener",
    absorb(changes: DocumentChanges) {
      heard.push({
        added: changes.added.map(({ path, text }) => `${path}=${text}`).sort(),
        changed: changes.changed.map(({ path, text }) => `${path}=${text}`).sort(),
        removed: changes.removed.map(({ path }) => path).sort(),
      });
      return [];
    },
  };
  const intake: Intake = openIntake({
    db,
    sources: {
      boundary: makeBoundary({ base: folder }),
      reader: openReader(),
      converted: openConverted(db),
    },
    notices,
    log: makeLog({ level: "error", write: () => {} }),
    rootNamed: (name) => (gone.has(name) ? undefined : { ...root, name }),
    absorbers: [...others, listener],
    elsewhere,
  });
  return { intake, documents, db };
}

function put(path: string, text: string): void {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** Does something without the rights of root, who reads everything; for anybody else, as they are. */
async function asNobodySpecial<Result>(work: () => Promise<Result>): Promise<Result> {
  if (process.getuid?.() !== 0) return work();
  const nobody = 65_534;
  const own = dirname(folder);
  expect(own).toContain("lectern-test-");
  for (const path of [own, folder]) chmodSync(path, 0o755);
  process.seteuid?.(nobody);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}
