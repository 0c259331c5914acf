import { copyFileSync, readFileSync, renameSync, utimesSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { openFolders } from "../../../tests/fixtures/files/watched-folders.ts";

/** Both ways in which changes are found. */
const ways = ["scan", "look"] as const;

describe.each(ways)("by a %s", (way) => {
  /** Two indexed folders with files, and a function that indexes later changes. */
  async function started(files: Record<string, string>, options: { relocates?: boolean } = {}) {
    const folders = openFolders(options);
    for (const [path, text] of Object.entries(files)) folders.put(path, text);
    const runtime = folders.open();
    await runtime.indexer.scan(folders.roots);
    const before = runtime.ids();
    const applyChanges = (...places: string[]) =>
      way === "scan"
        ? runtime.indexer.scan(folders.roots)
        : runtime.indexer.indexPaths(folders.roots, places.map(folders.place));
    return { ...folders, ...runtime, before, applyChanges };
  }

  test("[core.renames.file] a renamed file keeps its id", async () => {
    const {
      move,
      applyChanges,
      ids,
      before,
      texts,
      reported: result,
    } = await started({ "notes/a.md": "one" });
    move("notes/a.md", "notes/sub/b.md");
    const counts = await applyChanges("notes/a.md", "notes/sub/b.md");

    expect(counts).toMatchObject({ added: 0, changed: 0, removed: 0, moved: 1 });
    expect(ids()).toEqual({ "notes/sub/b.md": before["notes/a.md"] });
    expect(texts()).toEqual({ "notes/sub/b.md": "one" });
    expect(result).toContainEqual({ topic: "resource.updated", about: "notes/a.md" });
  });

  test("[core.renames.folder] a renamed folder with hundreds of files keeps every id, even of identical files", async () => {
    const names = Array.from({ length: 450 }, (_, index) => `y${index % 9}/f${index}.md`);
    const files = names.map((name, index) => [`notes/old/${name}`, index % 3 ? name : "the same"]);
    const { move, applyChanges, ids, before, relocated } = await started(
      Object.fromEntries(files),
      {
        relocates: true,
      },
    );
    move("notes/old", "notes/new");
    const counts = await applyChanges("notes/old", "notes/new");

    expect(counts).toMatchObject({ added: 0, changed: 0, removed: 0, moved: 450 });
    expect(relocated).toHaveLength(450);
    const expected = Object.entries(before).map(([path, id]) => [path.replace("old", "new"), id]);
    expect(ids()).toEqual(Object.fromEntries(expected));
  });

  test("[core.renames.root] a file moved to another collection keeps its id, and both collections are notified", async () => {
    const { move, applyChanges, ids, before, texts, db } = await started({
      "notes/a.md": "one",
      "papers/b.md": "two",
    });
    move("notes/a.md", "papers/a.md");
    move("papers/b.md", "notes/b.md");
    await applyChanges("notes/a.md", "papers/a.md", "papers/b.md", "notes/b.md");

    expect(ids()).toEqual({
      "notes/b.md": before["papers/b.md"],
      "papers/a.md": before["notes/a.md"],
    });
    expect(texts()).toEqual({ "notes/b.md": "two", "papers/a.md": "one" });
    const notices = db.all(
      "SELECT root, about FROM notices WHERE about IS NOT NULL ORDER BY about",
    );
    expect(notices).toEqual([
      { root: "notes", about: "notes/a.md" },
      { root: "papers", about: "papers/b.md" },
    ]);
  });

  test("[core.renames.copy] a copy is a new document; of identical files, the missing one is the one that moved", async () => {
    const { place, move, applyChanges, ids, before } = await started({
      "notes/a.md": "same",
      "notes/b.md": "same",
    });
    copyFileSync(place("notes/a.md"), place("notes/copy.md"));
    await applyChanges("notes/copy.md");
    const copied = ids();
    expect(copied).toMatchObject(before);
    expect(new Set(Object.values(copied)).size).toBe(3);

    move("notes/b.md", "notes/z.md");
    await applyChanges("notes/b.md", "notes/z.md");
    expect(ids()).toEqual({
      "notes/a.md": copied["notes/a.md"],
      "notes/copy.md": copied["notes/copy.md"],
      "notes/z.md": copied["notes/b.md"],
    });
  });

  test.each([true, false])(
    "[core.renames.swap] two files that swap names keep their ids (a shelf that tracks moves: %s)",
    async (relocates) => {
      const { place, applyChanges, ids, before, texts } = await started(
        { "notes/a.md": "one", "notes/b.md": "two" },
        { relocates },
      );
      renameSync(place("notes/a.md"), place("notes/c"));
      renameSync(place("notes/b.md"), place("notes/a.md"));
      renameSync(place("notes/c"), place("notes/b.md"));
      await applyChanges("notes/b.md", "notes/a.md");

      expect(ids()).toEqual({
        "notes/a.md": before["notes/b.md"],
        "notes/b.md": before["notes/a.md"],
      });
      expect(texts()).toEqual({ "notes/a.md": "two", "notes/b.md": "one" });
    },
  );

  test.each([true, false])(
    "[core.renames.chain] a chain of renames in one batch keeps every id (a shelf that tracks moves: %s)",
    async (relocates) => {
      const files = { "notes/a.md": "one", "notes/b.md": "two", "notes/c.md": "three" };
      const { move, applyChanges, ids, before, texts } = await started(files, { relocates });
      move("notes/c.md", "notes/d.md");
      move("notes/b.md", "notes/c.md");
      move("notes/a.md", "notes/b.md");
      await applyChanges("notes/a.md", "notes/b.md", "notes/c.md", "notes/d.md");

      expect(ids()).toEqual({
        "notes/b.md": before["notes/a.md"],
        "notes/c.md": before["notes/b.md"],
        "notes/d.md": before["notes/c.md"],
      });
      expect(texts()).toEqual({ "notes/b.md": "one", "notes/c.md": "two", "notes/d.md": "three" });
    },
  );

  test("a rename chain of which only the end is reported is followed to its start", async () => {
    const { move, applyChanges, ids, before } = await started({
      "notes/a.md": "one",
      "notes/b.md": "two",
    });
    move("notes/b.md", "notes/c.md");
    move("notes/a.md", "notes/b.md");
    await applyChanges("notes/c.md");
    await applyChanges("notes/a.md", "notes/b.md");

    expect(ids()).toEqual({
      "notes/b.md": before["notes/a.md"],
      "notes/c.md": before["notes/b.md"],
    });
  });

  test("a file renamed over another replaces it, and the other is gone", async () => {
    const {
      move,
      applyChanges,
      ids,
      before,
      texts,
      reported: result,
    } = await started({
      "notes/a.md": "one",
      "notes/b.md": "two",
    });
    move("notes/a.md", "notes/b.md");
    const counts = await applyChanges("notes/a.md", "notes/b.md");

    expect(counts).toMatchObject({ moved: 1, removed: 1 });
    expect(ids()).toEqual({ "notes/b.md": before["notes/a.md"] });
    expect(texts()).toEqual({ "notes/b.md": "one" });
    expect(result).toContainEqual({ topic: "resource.updated", about: "notes/b.md" });
  });

  test("saving through a backup file keeps the file's id", async () => {
    const { move, put, applyChanges, ids, before } = await started({ "notes/a.md": "one" });
    move("notes/a.md", "notes/a.old.md");
    put("notes/a.md", "two");
    await applyChanges("notes/a.md", "notes/a.old.md");

    expect(ids()).toMatchObject(before);
  });

  test("a change of case in a name is a rename", async () => {
    const { move, applyChanges, ids, before } = await started({ "notes/readme.md": "one" });
    move("notes/readme.md", "notes/README.md");
    await applyChanges("notes/readme.md", "notes/README.md");

    expect(ids()).toEqual({ "notes/README.md": before["notes/readme.md"] });
  });

  test("a file renamed and edited together is a new document", async () => {
    const { move, put, applyChanges, texts } = await started({ "notes/a.md": "one" });
    move("notes/a.md", "notes/b.md");
    put("notes/b.md", "one and more");
    const counts = await applyChanges("notes/a.md", "notes/b.md");

    expect(counts).toMatchObject({ added: 1, removed: 1, moved: 0 });
    expect(texts()).toEqual({ "notes/b.md": "one and more" });
  });
});

test.each([
  ["its end", ["notes/a.md", "notes/b.md"]],
  ["its new name", ["notes/b.md", "notes/a.md"]],
])(
  "[core.renames.separate-batches] a rename reported in two batches, first %s, keeps the id",
  async (_, places) => {
    const { put, move, place, roots, open } = openFolders();
    put("notes/a.md", "one");
    const { indexer, ids, texts } = open();
    await indexer.scan(roots);
    const before = ids();
    move("notes/a.md", "notes/b.md");
    for (const changed of places) await indexer.indexPaths(roots, [place(changed)]);

    expect(ids()).toEqual({ "notes/b.md": before["notes/a.md"] });
    expect(texts()).toEqual({ "notes/b.md": "one" });
  },
);

test("[core.renames.ending] a file whose extension changes is read again and keeps its id", async () => {
  const { put, move, roots, open } = openFolders({ relocates: true });
  const all = roots.map((root) => ({ ...root, pattern: "**/*" }));
  put("notes/a.md", "* one");
  put("notes/b.md", "two");
  const { indexer, ids, texts, relocated } = open();
  await indexer.scan(all);
  const before = ids();
  move("notes/a.md", "notes/a.org");
  move("notes/b.md", "notes/c.md");
  await indexer.scan(all);

  expect(ids()).toEqual({
    "notes/a.org": before["notes/a.md"],
    "notes/c.md": before["notes/b.md"],
  });
  expect(texts()).toEqual({ "notes/a.org": "# one", "notes/c.md": "two" });
  expect(relocated).toEqual(["b.md → c.md"]);
});

test("an id is never reused", async () => {
  const { put, remove, roots, open } = openFolders();
  put("notes/a.md", "one");
  const { indexer, ids } = open();
  await indexer.scan(roots);
  const [first] = Object.values(ids());
  remove("notes/a.md");
  await indexer.scan(roots);
  put("notes/other.md", "two");
  await indexer.scan(roots);
  expect(Object.values(ids())).not.toContain(first);
  put("notes/b.md", "one");
  put("notes/c.md", "one");
  await indexer.scan(roots);

  const { "notes/b.md": b, "notes/c.md": c } = ids();
  expect([b, c].filter((id) => id === first)).toHaveLength(1);
});

test("a file whose time is set back by a rename is the same file", async () => {
  const { put, move, place, roots, open } = openFolders();
  put("notes/a.md", "one");
  const { indexer, ids } = open();
  await indexer.scan(roots);
  const before = ids();
  move("notes/a.md", "notes/b.md");
  utimesSync(place("notes/b.md"), 1, 1);
  await indexer.scan(roots);

  expect(ids()).toEqual({ "notes/b.md": before["notes/a.md"] });
  expect(readFileSync(place("notes/b.md"), "utf8")).toBe("one");
});
