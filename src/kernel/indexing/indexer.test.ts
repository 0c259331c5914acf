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
import { readDocumentsOf } from "../../../tests/fixtures/files/watched-folders.ts";
import { conversionTables, openConversionCache } from "../documents/conversion-cache.ts";
import { type DocumentChanges, documentTables, type Root } from "../documents/documents.ts";
import { Failure } from "../failure.ts";
import { openDocumentReader } from "../formats/document-reader.ts";
import { noticeTables, openNotices } from "../notices/notices.ts";
import { createBoundary } from "../paths/boundary.ts";
import { createLog } from "../runtime/log.ts";
import { openDatabase } from "../storage/database.ts";
import { derivedTables, migrate } from "../storage/migrations.ts";
import { openSqliteStore, runSteps } from "../storage/sqlite-store.ts";
import type { DocumentChangeListener } from "./change-dispatch.ts";
import type { IndexFiles } from "./index-batches.ts";
import { type Indexer, openIndexer } from "./indexer.ts";

let folder: string;
let root: Root;
let collected: { added: string[]; changed: string[]; removed: string[] }[];
let received: string[];
let gone: Set<string>;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "lectern-indexer-")));
  root = { name: "notes", path: folder, pattern: "**/*.md" };
  collected = [];
  received = [];
  gone = new Set();
});

test("[core.documents.diff] a scan reports exactly what was added, changed and removed", async () => {
  const { indexer } = open();
  put("a.md", "one");
  put("sub/b.md", "two");
  put("c.md", "three");
  await indexer.scan([root]);
  put("a.md", "other");
  rmSync(join(folder, "c.md"));
  await indexer.scan([root]);
  await indexer.scan([root]);

  expect(collected).toEqual([
    { added: ["a.md=one", "c.md=three", "sub/b.md=two"], changed: [], removed: [] },
    { added: [], changed: ["a.md=other"], removed: ["c.md"] },
  ]);
});

test("an unreadable folder is named, and its siblings are read", async () => {
  const { indexer } = open();
  put("open/a.md", "one");
  put("closed/b.md", "two");
  chmodSync(join(folder, "closed"), 0o000);

  const { added, skipped } = await asNobodySpecial(() => indexer.scan([root]));

  expect(added).toBe(1);
  expect(skipped).toEqual([{ path: "notes/closed", reason: "no permission to read this folder" }]);
});

test("a root in an unreadable folder is reported, and does not affect other roots", async () => {
  const { indexer, run } = open();
  put("closed/inner/a.md", "one");
  put("open/b.md", "two");
  chmodSync(join(folder, "closed"), 0o000);
  const inner = { ...root, name: "inner", path: join(folder, "closed", "inner") };
  const other = { ...root, name: "other", path: join(folder, "open") };

  const { added, skipped } = await asNobodySpecial(() => indexer.scan([inner, other]));

  expect(added).toBe(1);
  expect(skipped).toEqual([{ path: "inner", reason: "no permission to read this folder" }]);
  expect(run(indexer.unscanned([inner, other]))).toEqual([]);
});

test("a folder whose names are readable, but not its files, is named too", async () => {
  const { indexer } = open();
  put("names/a.md", "one");
  chmodSync(join(folder, "names"), 0o444);

  const { skipped } = await asNobodySpecial(() => indexer.scan([root]));

  expect(skipped).toEqual([{ path: "notes/names", reason: "no permission to read this folder" }]);
});

test("[core.documents.unreadable] documents of an unreadable folder are kept until they are known to be deleted", async () => {
  const { indexer, documents } = open();
  put("closed/a.md", "one");
  put("closed/b.md", "two");
  put("open/c.md", "three");
  await indexer.scan([root]);
  const closed = join(folder, "closed");
  chmodSync(closed, 0o000);
  for (const look of [
    () => indexer.scan([root]),
    () => indexer.scan([root]),
    () => indexer.indexPaths([root], [closed, join(closed, "a.md"), folder]),
  ]) {
    expect(await asNobodySpecial(look)).toMatchObject({ added: 0, changed: 0, removed: 0 });
  }
  expect(documents.count()).toBe(3);

  chmodSync(closed, 0o755);
  rmSync(join(closed, "b.md"));
  expect(await indexer.scan([root])).toMatchObject({ removed: 1 });
  chmodSync(closed, 0o000);
  await asNobodySpecial(() => indexer.scan([root]));
  await asNobodySpecial(() => indexer.scan([root]));
  chmodSync(closed, 0o755);
  rmSync(closed, { recursive: true });
  expect(await indexer.scan([root])).toMatchObject({ removed: 1 });
  expect(documents.count()).toBe(1);
});

test("a root that is a link is found", async () => {
  const { indexer } = open();
  put("real/a.md", "one");
  symlinkSync(join(folder, "real"), join(folder, "link"));

  const { added, skipped } = await indexer.scan([{ ...root, path: join(folder, "link") }]);

  expect({ added, skipped }).toEqual({ added: 1, skipped: [] });
});

test("[core.documents.hash] touching a file without changing its content is not a change", async () => {
  const { indexer } = open();
  put("a.md", "one");
  await indexer.scan([root]);
  utimesSync(join(folder, "a.md"), new Date(), new Date(Date.now() + 5_000));
  const result = await indexer.scan([root]);

  expect(result).toMatchObject({ added: 0, changed: 0, removed: 0 });
  expect(collected).toHaveLength(1);
});

test("a change of equal length within one clock tick is detected", async () => {
  const { indexer } = open();
  const time = new Date();
  put("a.md", "one");
  utimesSync(join(folder, "a.md"), time, time);
  await indexer.scan([root]);
  put("a.md", "two");
  utimesSync(join(folder, "a.md"), time, time);
  await indexer.scan([root]);

  expect(collected.at(-1)?.changed).toEqual(["a.md=two"]);
});

test("single paths are scanned: files, folders, and deleted ones", async () => {
  const { indexer } = open();
  put("a.md", "one");
  put("old/b.md", "two");
  await indexer.scan([root]);
  renameSync(join(folder, "old"), join(folder, "new"));
  put("c.md", "three");
  put("d.txt", "no document");
  await indexer.indexPaths(
    [root],
    [...["old", "new", "c.md", "d.txt"].map((name) => join(folder, name)), tmpdir()],
  );

  expect(collected.slice(1)).toEqual([
    { added: [], changed: [], removed: ["old/b.md"] },
    { added: ["c.md=three", "new/b.md=two"], changed: [], removed: [] },
  ]);
});

test("a deleted folder removes all its documents, and none of a sibling with a similar name", async () => {
  const { indexer, documents } = open();
  for (const path of ["a/1.md", "a/b/2.md", "a-b/3.md", "a_b/4.md"]) put(path, path);
  await indexer.scan([root]);
  rmSync(join(folder, "a"), { recursive: true });
  await indexer.indexPaths([root], [join(folder, "a/b"), join(folder, "a")]);

  expect(documents.paths()).toEqual(["notes/a-b/3.md", "notes/a_b/4.md"]);
  expect(collected.at(-1)?.removed).toEqual(["a/1.md", "a/b/2.md"]);
});

test("a file that is no longer text is no longer a document", async () => {
  const { indexer, documents } = open();
  put("a.md", "one");
  put("b.md", "two");
  await indexer.scan([root]);
  writeFileSync(join(folder, "a.md"), new Uint8Array([0, 1]));
  await indexer.scan([root]);
  truncateSync(join(folder, "b.md"), 16 * 1024 * 1024 + 1);
  await indexer.indexPaths([root], [join(folder, "b.md")]);

  expect(documents.paths()).toEqual([]);
});

test("files that are not text are named, not silently skipped", async () => {
  const { indexer } = open();
  put("a.md", "one");
  writeFileSync(join(folder, "b.md"), new Uint8Array([137, 80, 78, 71, 0, 0, 1]));
  const { added, skipped } = await indexer.scan([root]);

  expect(added).toBe(1);
  expect(skipped).toEqual([{ path: "notes/b.md", reason: "it is not text" }]);
});

test("a root with a missing folder is named, and its documents are removed", async () => {
  const { indexer, documents } = open();
  put("a.md", "one");
  await indexer.scan([root]);
  rmSync(folder, { recursive: true });
  const { skipped, removed } = await indexer.scan([root]);

  expect([documents.count(), removed]).toEqual([0, 1]);
  expect(skipped).toEqual([{ path: "notes", reason: "its folder does not exist" }]);
});

test("a file that is too large is named too", async () => {
  const { indexer } = open();
  put("a.md", "one");
  truncateSync(join(folder, "a.md"), 16 * 1024 * 1024 + 1);

  expect((await indexer.scan([root])).skipped.map(({ path }) => path)).toEqual(["notes/a.md"]);
});

test("documents of roots that are no longer configured are removed", async () => {
  const { indexer, documents, run } = open();
  put("a.md", "one");
  await indexer.scan([root]);
  run(indexer.removeUnconfigured(() => [{ ...root, name: "other" }]));

  expect(documents.count()).toBe(0);
  expect(collected.at(-1)?.removed).toEqual(["a.md"]);
});

test("[core.documents.meanwhile] documents read from a root that was removed during the scan are not kept", async () => {
  const { indexer, documents, run } = open();
  for (let index = 0; index < 250; index++) put(`${index}.md`, "words");
  await indexer.scan([root], { onProgress: () => gone.add("notes") });

  expect(documents.count()).toBe(200);
  gone.clear();
  expect(run(indexer.unscanned([root]))).toEqual([root]);
});

test("[core.documents.unscanned] a root counts as unscanned until a scan completes, and again when it is redefined", async () => {
  const { indexer, run } = open();
  put("a.md", "one");
  await indexer.scan([root], { signal: AbortSignal.abort() });
  expect(run(indexer.unscanned([root]))).toEqual([root]);
  await indexer.scan([root]);
  expect(run(indexer.unscanned([root]))).toEqual([]);
  const other = { ...root, pattern: "*.txt" };
  expect(run(indexer.unscanned([root, other]))).toEqual([other]);
  run(indexer.renameRoot("notes", "papers"));
  expect(run(indexer.unscanned([root, { ...root, name: "papers" }]))).toEqual([root]);
  run(indexer.removeRoot("papers"));
  expect(run(indexer.unscanned([{ ...root, name: "papers" }]))).toHaveLength(1);
});

test("[core.boundary.links] a symbolic link that leaves the collection is never read", async () => {
  const { indexer, documents } = open();
  const outside = mkdtempSync(join(tmpdir(), "lectern-outside-"));
  writeFileSync(join(outside, "secret.md"), "secret");
  symlinkSync(join(outside, "secret.md"), join(folder, "leak.md"));
  symlinkSync(outside, join(folder, "leak"));
  await indexer.scan([root]);
  await indexer.indexPaths([root], [join(folder, "leak.md"), join(folder, "leak", "secret.md")]);

  expect(documents.paths()).toEqual([]);
});

test("[core.documents.savepoint] a shelf that throws is marked, and the other shelves continue", async () => {
  const broken: DocumentChangeListener = {
    name: "broken",
    onDocumentChanges: () => {
      throw new Error("no");
    },
  };
  const { indexer, db } = open([broken]);
  put("a.md", "one");
  await indexer.scan([root]);

  expect(collected).toHaveLength(1);
  expect(db.all("SELECT shelf FROM stale_shelves")).toEqual([{ shelf: "broken" }]);
});

test("[core.notices.after-commit] notices are sent once per batch, after the commit", async () => {
  const { indexer } = open();
  put("a.md", "one");
  await indexer.scan([root]);
  await indexer.scan([root]);

  expect(received).toEqual(["documents.changed with 1"]);
});

test("an aborted scan is reported as such", async () => {
  const { indexer } = open();
  put("a.md", "one");

  expect(await indexer.scan([root], { signal: AbortSignal.abort() })).toMatchObject({
    partial: true,
  });
});

test("[search.files.encoding] text is decoded in any encoding: UTF-16 by its byte order mark, Windows-1252 by its bytes", async () => {
  const { indexer } = open();
  writeFileSync(join(folder, "a.md"), Buffer.from("\ufeffgrün", "utf16le"));
  writeFileSync(join(folder, "b.md"), Buffer.from([0x67, 0x72, 0xfc, 0x6e]));
  // An invalid byte in UTF-8 text replaces only that byte.
  writeFileSync(join(folder, "c.md"), Buffer.from([0xc3, 0xbc, 0x20, 0xfc]));
  await indexer.scan([root]);

  expect(collected[0]?.added).toEqual(["a.md=grün", "b.md=grün", "c.md=ü \ufffd"]);
});

test("[core.indexer.elsewhere] large batches are indexed in another process, small ones in this one", async () => {
  const sent: string[][] = [];
  const worker = open();
  const { indexer, documents } = open([], async (batch, options) => {
    sent.push(batch.files.map(({ path }) => path));
    return worker.indexer.indexFiles(batch, options);
  });
  put("small.md", "little");
  // A recently written file would be read again.
  utimesSync(join(folder, "small.md"), 1_000, 1_000);
  await indexer.scan([root]);
  expect(sent).toEqual([]);
  put("large.md", "much ".repeat(100_000));
  const { added, skipped } = await indexer.scan([root]);

  expect({ added, skipped }).toEqual({ added: 1, skipped: [] });
  expect(sent).toEqual([["large.md"]]);
  expect(documents.paths()).toEqual(["notes/small.md"]);
  expect(worker.documents.paths()).toEqual(["notes/large.md"]);
});

test("[core.indexer.fatal] a document that crashes the indexing process is skipped, and the others are indexed", async () => {
  const worker = open();
  const { indexer } = open([], async (batch, options) => {
    if (batch.files.some(({ path }) => path === "b.md")) {
      throw new Failure("too-large", "too-large", "This exceeds the memory limit.");
    }
    return worker.indexer.indexFiles(batch, options);
  });
  for (const name of ["a.md", "b.md", "c.md"]) put(name, name.repeat(20_000));
  const { added, skipped } = await indexer.scan([root]);

  expect(added).toBe(2);
  expect(skipped).toEqual([
    { path: "notes/b.md", reason: "reading it takes too much time or memory" },
  ]);
  expect(worker.documents.paths()).toEqual(["notes/a.md", "notes/c.md"]);
});

function open(others: DocumentChangeListener[] = [], indexOffThread?: IndexFiles) {
  const db = openDatabase(":memory:");
  migrate(db, [
    { owner: "documents", tables: documentTables },
    { owner: "converted", tables: conversionTables },
    { owner: "notices", tables: noticeTables },
    {
      owner: "stale",
      tables: derivedTables(1, "CREATE TABLE stale_shelves (shelf TEXT PRIMARY KEY);"),
    },
  ]);
  const notices = runSteps(db, openNotices());
  const documents = readDocumentsOf(db);
  notices.subscribe(({ topic }) => received.push(`${topic} with ${documents.count()}`));
  const listener: DocumentChangeListener = {
    name: "listener",
    *onDocumentChanges(changes: DocumentChanges) {
      collected.push({
        added: changes.added.map(({ path, text }) => `${path}=${text}`).sort(),
        changed: changes.changed.map(({ path, text }) => `${path}=${text}`).sort(),
        removed: changes.removed.map(({ path }) => path).sort(),
      });
      return [];
    },
  };
  const store = openSqliteStore(db);
  const indexer: Indexer = openIndexer({
    store,
    sources: {
      boundary: createBoundary({ base: folder }),
      reader: openDocumentReader(),
      conversionCache: openConversionCache(),
    },
    notices,
    log: createLog({ level: "error", write: () => {} }),
    findRoot: (name) => (gone.has(name) ? undefined : { ...root, name }),
    listeners: [...others, listener],
    indexOffThread,
  });
  return { indexer, documents, db, run: store.run };
}

function put(path: string, text: string): void {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** Drops root privileges during the work, since root can read everything. */
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
