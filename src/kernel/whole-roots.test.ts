import { utimesSync } from "node:fs";
import { expect, test } from "vitest";
import { openFolders } from "../../tests/fixtures/watched-folders.ts";
import { openWholeRoots } from "./whole-roots.ts";

/** Folders whose files were all written long ago. */
function openOldFolders() {
  const folders = openFolders();
  const put = (path: string, text: string | Uint8Array) => {
    folders.put(path, text);
    utimesSync(folders.place(path), 1, 1);
  };
  return { ...folders, put, putNow: folders.put };
}

test("[house.documents.skipped] what is no document is named by every scan, though it is not read by each", async () => {
  const { put, roots, open } = openOldFolders();
  const { intake, logged } = open();
  put("notes/a.md", "one");
  put("notes/b.md", new Uint8Array([0, 1]));
  const scans = [];
  for (let turn = 0; turn < 4; turn++) scans.push((await intake.scan(roots)).skipped);

  expect(scans).toEqual(Array(4).fill([{ path: "notes/b.md", reason: "it is not text" }]));
  // The first takes something in, the second finds that nothing has changed.
  expect(logged).toHaveLength(2);
});

test("[house.documents.restored] a file that is put back as it was, time and all, is seen as it is", async () => {
  const { put, putNow, place, roots, open } = openOldFolders();
  const { intake, texts } = open();
  put("notes/a.md", "one");
  await intake.scan(roots);
  await intake.scan(roots);
  putNow("notes/a.md", "two");
  await intake.lookAt(roots, [place("notes/a.md")]);
  expect(texts()).toEqual({ "notes/a.md": "two" });
  put("notes/a.md", "one");
  await intake.scan(roots);

  expect(texts()).toEqual({ "notes/a.md": "one" });
});

test.each([
  ["a file is added", { "notes/b.md": "two" }],
  ["a file is changed", { "notes/a.md": "other" }],
  ["a file of no documents is", { "notes/c.md": "three" }],
])("a folder that is known is compared again when %s", async (_, changes) => {
  const { put, roots, open } = openOldFolders();
  const { intake, texts } = open();
  put("notes/a.md", "one");
  put("notes/c.md", new Uint8Array([0]));
  for (let turn = 0; turn < 3; turn++) await intake.scan(roots);
  for (const [path, text] of Object.entries(changes)) put(path, text);
  await intake.scan(roots);

  expect(texts()).toEqual({ "notes/a.md": "one", ...changes });
});

test("[house.documents.later] what another process has seen since is neither dropped nor put back", async () => {
  const { put, remove, place, roots, open } = openFolders();
  const [ours, theirs] = [open(), open()];
  put("notes/0.md", "one");
  await ours.intake.scan(roots);
  remove("notes/0.md");
  for (let index = 1; index <= 250; index++) put(`notes/${index}.md`, `words ${index}`);
  let isBack: Promise<unknown> | undefined;
  const scan = ours.intake.scan(roots, {
    onProgress() {
      if (isBack) return;
      put("notes/0.md", "one");
      isBack = theirs.intake.lookAt(roots, [place("notes/0.md")]);
    },
  });
  await scan;
  await isBack;
  expect(ours.documents.find("notes", "0.md")).toMatchObject({ path: "0.md" });
});

test("a large folder that takes long to compare is compared less often, others every time", () => {
  const { roots, open } = openFolders();
  const { db } = open();
  const wholeRoots = openWholeRoots(db, () => true);
  const due = () => wholeRoots.due(roots).map(({ name }) => name);
  expect(due()).toEqual(["notes", "papers"]);
  for (const root of roots) {
    wholeRoots.remember(root);
    wholeRoots.note(root, 60_000, 100);
    wholeRoots.note(root, 40, 5_000);
  }
  expect(due()).toEqual(["notes", "papers"]);
  for (const root of roots) wholeRoots.note(root, root.name === "notes" ? 60_000 : 40, 5_000);
  expect(due()).toEqual(["papers"]);
  expect(wholeRoots.due(roots.map((root) => ({ ...root, pattern: "*.txt" })))).toHaveLength(2);
  db.run("UPDATE whole_roots SET compared = compared - 600001");
  expect(due()).toEqual(["notes", "papers"]);
  for (const root of roots) wholeRoots.note(root, 60_000, 5_000);
  expect(due()).toEqual([]);
  const anHourEarlier = openWholeRoots(
    db,
    () => true,
    () => Date.now() - 3_600_000,
  );
  expect(anHourEarlier.due(roots)).toHaveLength(2);
});
