import { expect, test } from "vitest";
import { describeEveryStore, scriptOf } from "../../../tests/fixtures/stores/every-store.ts";
import { type FileSnapshot, openDocumentRows } from "../documents/document-rows.ts";
import { documentTables, openDocuments } from "../documents/documents.ts";
import { readRevision } from "../documents/revision.ts";
import { sha256Hex } from "../files/hashes.ts";
import { noticeTables, openNotices } from "../notices/notices.ts";
import { createLog } from "../runtime/log.ts";
import { derivedTables } from "../storage/migrations.ts";
import { direct, type Step, type Steps } from "../storage/steps.ts";
import type { DocumentChangeListener } from "./change-dispatch.ts";
import { openRecorder } from "./recorder.ts";
import { openScanState } from "./scan-state.ts";
import { openSkipReports } from "./skip-reports.ts";

const tables = scriptOf(
  documentTables,
  noticeTables,
  derivedTables(1, "CREATE TABLE stale_shelves (shelf TEXT PRIMARY KEY);"),
);

/** The files on disk, by `root/path`. */
type Files = Map<string, FileSnapshot>;

describeEveryStore(tables, (openStore) => {
  const changes: string[] = [];
  const listener: DocumentChangeListener = {
    name: "listener",
    onDocumentChanges: ({ added, changed, removed }) =>
      direct(() => {
        for (const { id, path } of removed) changes.push(`- ${path} ${id}`);
        for (const { id, path } of changed) changes.push(`* ${path} ${id}`);
        for (const { id, path } of added) changes.push(`+ ${path} ${id}`);
        return [];
      }),
  };

  async function open(listeners = [listener]) {
    changes.length = 0;
    const store = await openStore();
    const rows = openDocumentRows();
    const files: Files = new Map();
    const recorder = openRecorder({
      rows,
      notices: await store.run(openNotices()),
      log: createLog({ level: "error", write: () => {} }),
      isConfigured: (root) => root !== "gone",
      rereadIfChanged: (row) =>
        direct(() => files.get(`${row.root}/${row.path}`) ?? ("gone" as const)),
      confirmSnapshot: (file) =>
        direct(() => files.get(`${file.root}/${file.path}`) ?? ("gone" as const)),
      listeners,
    });
    /** Writes files, and records them as they were read after the last recording. */
    async function record(written: Record<string, string>, missing: readonly string[] = []) {
      const asOf = await store.run(rows.lastRecording());
      const gone = await store.run(rows.atPaths(missing.map((path) => ({ root: "notes", path }))));
      for (const path of missing) files.delete(`notes/${path}`);
      const snapshots = Object.entries(written).map(([path, text]) => snapshotOf(path, text, asOf));
      for (const file of snapshots) files.set(`notes/${file.path}`, file);
      return store.run(recorder.record(snapshots, [...gone.values()]));
    }
    const ids = async (): Promise<Record<string, number>> => {
      const listed = await store.run(openDocuments().list({}, 1_000));
      return Object.fromEntries(listed.map(({ path, id }) => [path, id]));
    };
    return { store, rows, files, recorder, record, ids };
  }

  test("[scale.recorder] files are added, changed, moved, swapped and removed", async () => {
    const { store, record, ids } = await open();
    expect(await record({ "a.md": "one", "b.md": "two", "c.md": "three" })).toMatchObject({
      added: 3,
    });
    expect(await ids()).toEqual({ "a.md": 1, "b.md": 2, "c.md": 3 });
    expect(await record({ "a.md": "two", "b.md": "one" })).toMatchObject({ moved: 2 });
    expect(await ids()).toEqual({ "a.md": 2, "b.md": 1, "c.md": 3 });
    expect(await record({ "d.md": "three" }, ["c.md"])).toMatchObject({ moved: 1, removed: 0 });
    expect(await record({ "a.md": "new" }, ["b.md"])).toMatchObject({ changed: 1, removed: 1 });
    expect(await ids()).toEqual({ "a.md": 2, "d.md": 3 });
    expect(await record({ "a.md": "new" })).toEqual({ added: 0, changed: 0, removed: 0, moved: 0 });
    // What is back soon has its former id, and a new document a higher one.
    expect(await record({ "e.md": "one", "f.md": "six" })).toMatchObject({ added: 2 });
    expect(await ids()).toEqual({ "a.md": 2, "d.md": 3, "e.md": 1, "f.md": 4 });
    expect(changes.slice(0, 3)).toEqual(["+ a.md 1", "+ b.md 2", "+ c.md 3"]);
    expect(changes.slice(-2)).toEqual(["+ e.md 1", "+ f.md 4"]);
    expect(await store.run(readRevision())).toBe(5);
  });

  test("[scale.recorder] a file that was changed after it was read is recorded as it is now", async () => {
    const { store, rows, files, recorder, record } = await open();
    const early = snapshotOf("a.md", "old", await store.run(rows.lastRecording()));
    const lost = snapshotOf("b.md", "old", early.asOf);
    await record({ "a.md": "current" });
    const current = await store.run(rows.atPath("notes", "a.md"));
    expect(await store.run(recorder.record([early, lost], []))).toMatchObject({
      added: 0,
      changed: 0,
    });
    expect(await store.run(rows.atPath("notes", "a.md"))).toMatchObject({ hash: current?.hash });
    // A row that another recording wrote is not removed as missing.
    expect(await store.run(recorder.record([], current ? [current] : []))).toMatchObject({
      removed: 0,
    });
    files.clear();
    const row = await store.run(rows.atPath("notes", "a.md"));
    expect(await store.run(recorder.record([], row ? [row] : []))).toMatchObject({ removed: 1 });
    const elsewhere = { ...snapshotOf("c.md", "new", 99), root: "gone" };
    expect(await store.run(recorder.record([elsewhere], []))).toMatchObject({ added: 0 });
  });

  test("[scale.recorder.statements] a batch of 200 files needs few statements", async () => {
    const { store, rows, recorder } = await open([]);
    const batch = (text: string, asOf: number) =>
      Array.from({ length: 200 }, (_, number) =>
        snapshotOf(`${number}.md`, `${text} ${number}`, asOf),
      );
    const trips = { count: 0 };
    const countIn = (files: readonly FileSnapshot[]) =>
      store.run(countTrips(recorder.record(files, []), trips));
    expect(await countIn(batch("new", 0))).toMatchObject({ added: 200 });
    expect(trips.count).toBeLessThanOrEqual(10);
    trips.count = 0;
    const asOf = await store.run(rows.lastRecording());
    expect(await countIn(batch("changed", asOf))).toMatchObject({ changed: 200 });
    expect(trips.count).toBeLessThanOrEqual(10);
  });

  test("[scale.document-rows] rows are found by root, folder and content, and renamed", async () => {
    const { store, rows, record } = await open();
    await record({ "a.md": "same", "a/b.md": "same", "a-b.md": "other", "Z.md": "other" });
    const paths = async (steps: Steps<{ path: string }[]>) =>
      (await store.run(steps)).map(({ path }) => path);
    expect(await store.run(rows.roots())).toEqual(["notes"]);
    expect(await paths(rows.inRoot("notes"))).toEqual(["Z.md", "a-b.md", "a.md", "a/b.md"]);
    expect(await paths(rows.atOrBelowPath("notes", "a"))).toEqual(["a/b.md"]);
    expect(await paths(rows.atOrBelowPath("notes", ""))).toHaveLength(4);
    expect(await paths(rows.withHashes([hashOf("same"), hashOf("none")], 1))).toHaveLength(1);
    expect(await paths(rows.withHashes([hashOf("same"), hashOf("other")], 9))).toHaveLength(4);
    expect(await store.run(rows.renameRoot("notes", "papers"))).toBe(4);
    expect(await store.run(rows.roots())).toEqual(["papers"]);
    const row = await store.run(rows.atPath("papers", "a.md"));
    await store.run(rows.markOutdated([row?.id ?? 0]));
    expect(await store.run(rows.atPath("papers", "a.md"))).toMatchObject({ hash: "", size: -1 });
    expect(row).toMatchObject({ modified: 1_700_000_000_000.125, seen: 1_800_000_000_000.5 });
  });

  test("[scale.scan-state] scans of roots are recorded, renamed and forgotten", async () => {
    const { store } = await open();
    const roots = ["notes", "papers"].map((name) => ({ name, path: `/${name}`, pattern: "*" }));
    const [notes = rootless, papers = rootless] = roots;
    const scanState = openScanState(() => true);
    const listing = {
      found: [],
      inputs: new Map(),
      links: new Set<string>(),
      unreadable: new Map(),
    };
    const walked = { ...listing, conditions: "[]" };
    const names = async (steps: Steps<{ name: string }[]>) =>
      (await store.run(steps)).map(({ name }) => name);
    expect(await names(scanState.unscanned(roots))).toEqual(["notes", "papers"]);
    const skipped = [{ path: "notes/ä.bin", reason: "it is not text" }];
    await store.run(scanState.recordScan(notes, { ...walked, skipped }));
    expect(await names(scanState.unscanned(roots))).toEqual(["papers"]);
    expect(await store.run(scanState.findUnchanged(notes, walked))).toEqual({ skipped });
    await store.run(scanState.recordDuration(notes, 60_000, 5_000));
    expect(await names(scanState.dueForScan(roots))).toEqual(["papers"]);
    await store.run(scanState.recordScan(papers));
    await store.run(scanState.rename("notes", "papers"));
    expect(await names(scanState.unscanned(roots))).toEqual(["notes", "papers"]);
    await store.run(scanState.recordScan(notes, { ...walked, skipped }));
    await store.run(scanState.invalidateListings());
    expect(await store.run(scanState.findUnchanged(notes, walked))).toBeUndefined();
    await store.run(scanState.forget("notes"));
    expect(await names(scanState.unscanned([notes]))).toEqual(["notes"]);
  });

  test("[scale.skip-reports] a skipped file is reported once for each reason", async () => {
    const { store } = await open();
    const reports = openSkipReports();
    const first = { path: "notes/a", reason: "it is empty" };
    const second = { path: "notes/b", reason: "it is empty" };
    expect(await store.run(reports.takeNew("notes", [first]))).toEqual([first]);
    expect(await store.run(reports.takeNew("notes", [first, second]))).toEqual([second]);
    const other = { ...first, reason: "it is too large" };
    expect(await store.run(reports.takeNew("notes", [other, second]))).toEqual([other]);
    await store.run(reports.retainOnly("notes", [other]));
    expect(await store.run(reports.takeNew("notes", [other, second]))).toEqual([second]);
    await store.run(reports.forget("notes"));
    expect(await store.run(reports.takeNew("notes", [second]))).toEqual([second]);
  });
});

const rootless = { name: "", path: "", pattern: "" };

const hashOf = (text: string): string => sha256Hex(Buffer.from(text));

const snapshotOf = (path: string, text: string, asOf: number): FileSnapshot => ({
  root: "notes",
  path,
  text,
  hash: hashOf(text),
  size: text.length,
  modified: 1_700_000_000_000.125,
  changed: 1_700_000_000_000.25,
  seen: 1_800_000_000_000.5,
  asOf,
});

/** The same steps; counts the messages that they send to PostgreSQL. */
function* countTrips<Result>(steps: Steps<Result>, trips: { count: number }): Steps<Result> {
  let next = steps.next();
  while (!next.done) {
    const step: Step = next.value;
    const isTransaction = step.kind === "transaction";
    // SQLite needs another statement for the revision.
    const isPragma = "sql" in step && String(step.sql).startsWith("PRAGMA");
    trips.count += isTransaction ? 2 : isPragma ? 0 : 1;
    const result = yield isTransaction
      ? { ...step, work: () => countTrips(step.work(), trips) }
      : step;
    next = steps.next(result);
  }
  return next.value;
}
