import { utimesSync } from "node:fs";
import { expect, test } from "vitest";
import { openFolders } from "../../../tests/fixtures/files/watched-folders.ts";
import { runSteps } from "../storage/sqlite-store.ts";
import type { Steps } from "../storage/steps.ts";
import { openScanState } from "./scan-state.ts";

/** Folders whose files were all written long ago. */
function openOldFolders() {
  const folders = openFolders();
  const put = (path: string, text: string | Uint8Array) => {
    folders.put(path, text);
    utimesSync(folders.place(path), 1, 1);
  };
  return { ...folders, put, putNow: folders.put };
}

test("[core.documents.skipped] every scan names skipped files, without reading them each time", async () => {
  const { put, roots, open } = openOldFolders();
  const { indexer, logged } = open();
  put("notes/a.md", "one");
  put("notes/b.md", new Uint8Array([0, 1]));
  const scans = [];
  for (let turn = 0; turn < 4; turn++) scans.push((await indexer.scan(roots)).skipped);

  expect(scans).toEqual(Array(4).fill([{ path: "notes/b.md", reason: "it is not text" }]));
  expect(logged).toHaveLength(1);
});

test("[core.documents.restored] a file restored with its old content and timestamp is detected", async () => {
  const { put, putNow, place, roots, open } = openOldFolders();
  const { indexer, texts } = open();
  put("notes/a.md", "one");
  await indexer.scan(roots);
  await indexer.scan(roots);
  putNow("notes/a.md", "two");
  await indexer.indexPaths(roots, [place("notes/a.md")]);
  expect(texts()).toEqual({ "notes/a.md": "two" });
  put("notes/a.md", "one");
  await indexer.scan(roots);

  expect(texts()).toEqual({ "notes/a.md": "one" });
});

test.each([
  ["a file is added", { "notes/b.md": "two" }],
  ["a file is changed", { "notes/a.md": "other" }],
  ["a file of no documents is", { "notes/c.md": "three" }],
])("a folder that is known is compared again when %s", async (_, changes) => {
  const { put, roots, open } = openOldFolders();
  const { indexer, texts } = open();
  put("notes/a.md", "one");
  put("notes/c.md", new Uint8Array([0]));
  for (let turn = 0; turn < 3; turn++) await indexer.scan(roots);
  for (const [path, text] of Object.entries(changes)) put(path, text);
  await indexer.scan(roots);

  expect(texts()).toEqual({ "notes/a.md": "one", ...changes });
});

test("[core.documents.later] a newer record by another process is neither dropped nor overwritten", async () => {
  const { put, remove, place, roots, open } = openFolders();
  const [ours, theirs] = [open(), open()];
  put("notes/0.md", "one");
  await ours.indexer.scan(roots);
  remove("notes/0.md");
  for (let index = 1; index <= 250; index++) put(`notes/${index}.md`, `words ${index}`);
  let isBack: Promise<unknown> | undefined;
  const scan = ours.indexer.scan(roots, {
    onProgress() {
      if (isBack) return;
      put("notes/0.md", "one");
      isBack = theirs.indexer.indexPaths(roots, [place("notes/0.md")]);
    },
  });
  await scan;
  await isBack;
  expect(ours.documents.find("notes", "0.md")).toMatchObject({ path: "0.md" });
});

test("large folders that are slow to compare are scanned less often, others every time", () => {
  const { roots, open } = openFolders();
  const { db } = open();
  const run = <Result>(steps: Steps<Result>): Result => runSteps(db, steps);
  const scanState = openScanState(() => true);
  const due = () => run(scanState.dueForScan(roots)).map(({ name }) => name);
  expect(due()).toEqual(["notes", "papers"]);
  for (const root of roots) {
    run(scanState.recordScan(root));
    run(scanState.recordDuration(root, 60_000, 100));
    run(scanState.recordDuration(root, 40, 5_000));
  }
  expect(due()).toEqual(["notes", "papers"]);
  for (const root of roots)
    run(scanState.recordDuration(root, root.name === "notes" ? 60_000 : 40, 5_000));
  expect(due()).toEqual(["papers"]);
  const otherRoots = roots.map((root) => ({ ...root, pattern: "*.txt" }));
  expect(run(scanState.dueForScan(otherRoots))).toHaveLength(2);
  db.run("UPDATE whole_roots SET compared = compared - 600001");
  expect(due()).toEqual(["notes", "papers"]);
  for (const root of roots) run(scanState.recordDuration(root, 60_000, 5_000));
  expect(due()).toEqual([]);
  const anHourEarlier = openScanState(
    () => true,
    () => Date.now() - 3_600_000,
  );
  expect(run(anHourEarlier.dueForScan(roots))).toHaveLength(2);
});
