import { symlinkSync, utimesSync } from "node:fs";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { openFolders } from "../../../tests/fixtures/files/watched-folders.ts";
import { countIfUnchanged } from "./root-listing.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
});

/** A scanned root whose folders and files seem to have been written long ago. */
async function openScannedRoot() {
  const folders = openFolders();
  const { put, place, roots, open } = folders;
  const { indexer, texts, db } = open();
  put("notes/a.md", "one");
  put("notes/deep/b.md", "two");
  put("notes/deep/ignored.md", "three");
  put("notes/.gitignore", "ignored.md");
  const settle = async () => {
    vi.setSystemTime(Date.now() + 60_000);
    for (let turn = 0; turn < 2; turn++) await indexer.scan(roots);
  };
  await settle();
  const countUnchanged = () => {
    const row = db.get<{ listing: string }>("SELECT listing FROM whole_roots WHERE root = 'notes'");
    const listing = row?.listing ?? "";
    return countIfUnchanged(place("notes"), listing.slice(listing.indexOf("\n") + 1));
  };
  return { ...folders, indexer, texts, settle, countUnchanged };
}

test("[core.documents.comparison] an unchanged root is compared without a walk", async () => {
  const { countUnchanged } = await openScannedRoot();
  expect(await countUnchanged()).toBe(2);
});

test("[core.documents.comparison] files of any size and time are compared without a walk", async () => {
  const { put, place, settle, countUnchanged } = await openScannedRoot();
  for (let file = 0; file < 200; file++) {
    put(`notes/many/${file}.md`, "x".repeat(file));
    utimesSync(place(`notes/many/${file}.md`), 1, 1_500_000_000 + file * 1_234.567);
  }
  await settle();
  expect(await countUnchanged()).toBe(202);
});

type Scanned = Awaited<ReturnType<typeof openScannedRoot>>;

test.each<[string, (root: Scanned) => void, Record<string, string>]>([
  ["a changed file", ({ put }) => put("notes/a.md", "ONE"), { "notes/a.md": "ONE" }],
  ["a new file", ({ put }) => put("notes/deep/c.md", "new"), { "notes/deep/c.md": "new" }],
  ["a new folder", ({ put }) => put("notes/more/c.md", "new"), { "notes/more/c.md": "new" }],
  [
    "a changed ignore file",
    ({ put }) => put("notes/.gitignore", "other.md"),
    { "notes/deep/ignored.md": "three" },
  ],
  [
    "a new file with an old timestamp",
    ({ put, place }) => {
      put("notes/deep/c.md", "new");
      for (const path of ["notes/deep/c.md", "notes/deep"]) utimesSync(place(path), 1, 1);
    },
    { "notes/deep/c.md": "new" },
  ],
])("[core.documents.comparison] the comparison finds %s", async (_, change, expected) => {
  const scanned = await openScannedRoot();
  const before = scanned.texts();
  change(scanned);

  expect(await scanned.countUnchanged()).toBeUndefined();
  await scanned.indexer.scan(scanned.roots);
  expect(scanned.texts()).toEqual({ ...before, ...expected });
});

test("[core.documents.comparison] the comparison finds a removed file", async () => {
  const { remove, roots, indexer, texts, countUnchanged } = await openScannedRoot();
  remove("notes/deep/b.md");

  expect(await countUnchanged()).toBeUndefined();
  await indexer.scan(roots);
  expect(texts()).toEqual({ "notes/a.md": "one" });
});

test("[core.documents.comparison] a root that was just written, or has links, is walked", async () => {
  const { put, place, roots, indexer, settle, countUnchanged } = await openScannedRoot();
  put("notes/c.md", "new");
  vi.setSystemTime(Date.now() - 59_000);
  for (let turn = 0; turn < 2; turn++) await indexer.scan(roots);
  expect(await countUnchanged()).toBeUndefined();
  await settle();
  expect(await countUnchanged()).toBe(3);
  symlinkSync(place("notes/a.md"), place("notes/link.md"));
  await settle();
  expect(await countUnchanged()).toBeUndefined();
});
