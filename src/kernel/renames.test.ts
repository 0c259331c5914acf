import { copyFileSync, readFileSync, renameSync, utimesSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { openFolders } from "../../tests/fixtures/watched-folders.ts";

/** Both ways in which changes are found. */
const ways = ["scan", "look"] as const;

describe.each(ways)("by a %s", (way) => {
  /** Two folders with files, taken in, and a way to take in what happens next. */
  async function started(files: Record<string, string>, options: { relocates?: boolean } = {}) {
    const folders = openFolders(options);
    for (const [path, text] of Object.entries(files)) folders.put(path, text);
    const house = folders.open();
    await house.intake.scan(folders.roots);
    const before = house.ids();
    const takeIn = (...places: string[]) =>
      way === "scan"
        ? house.intake.scan(folders.roots)
        : house.intake.lookAt(folders.roots, places.map(folders.place));
    return { ...folders, ...house, before, takeIn };
  }

  test("[house.renames.file] a file that is renamed keeps its id", async () => {
    const { move, takeIn, ids, before, texts, told } = await started({ "notes/a.md": "one" });
    move("notes/a.md", "notes/sub/b.md");
    const counts = await takeIn("notes/a.md", "notes/sub/b.md");

    expect(counts).toMatchObject({ added: 0, changed: 0, removed: 0, moved: 1 });
    expect(ids()).toEqual({ "notes/sub/b.md": before["notes/a.md"] });
    expect(texts()).toEqual({ "notes/sub/b.md": "one" });
    expect(told).toContainEqual({ topic: "resource.updated", about: "notes/a.md" });
  });

  test("[house.renames.folder] a folder of hundreds that is renamed keeps every id, also of equal files", async () => {
    const names = Array.from({ length: 450 }, (_, index) => `y${index % 9}/f${index}.md`);
    const files = names.map((name, index) => [`notes/old/${name}`, index % 3 ? name : "the same"]);
    const { move, takeIn, ids, before, relocated } = await started(Object.fromEntries(files), {
      relocates: true,
    });
    move("notes/old", "notes/new");
    const counts = await takeIn("notes/old", "notes/new");

    expect(counts).toMatchObject({ added: 0, changed: 0, removed: 0, moved: 450 });
    expect(relocated).toHaveLength(450);
    const expected = Object.entries(before).map(([path, id]) => [path.replace("old", "new"), id]);
    expect(ids()).toEqual(Object.fromEntries(expected));
  });

  test("[house.renames.root] a file that goes to another collection keeps its id, and each side is told", async () => {
    const { move, takeIn, ids, before, texts, db } = await started({
      "notes/a.md": "one",
      "papers/b.md": "two",
    });
    move("notes/a.md", "papers/a.md");
    move("papers/b.md", "notes/b.md");
    await takeIn("notes/a.md", "papers/a.md", "papers/b.md", "notes/b.md");

    expect(ids()).toEqual({
      "notes/b.md": before["papers/b.md"],
      "papers/a.md": before["notes/a.md"],
    });
    expect(texts()).toEqual({ "notes/b.md": "two", "papers/a.md": "one" });
    const said = db.all("SELECT root, about FROM notices WHERE about IS NOT NULL ORDER BY about");
    expect(said).toEqual([
      { root: "notes", about: "notes/a.md" },
      { root: "papers", about: "papers/b.md" },
    ]);
  });

  test("[house.renames.copy] a copy is a document of its own, and of equal files the one that is gone has moved", async () => {
    const { place, move, takeIn, ids, before } = await started({
      "notes/a.md": "same",
      "notes/b.md": "same",
    });
    copyFileSync(place("notes/a.md"), place("notes/copy.md"));
    await takeIn("notes/copy.md");
    const copied = ids();
    expect(copied).toMatchObject(before);
    expect(new Set(Object.values(copied)).size).toBe(3);

    move("notes/b.md", "notes/z.md");
    await takeIn("notes/b.md", "notes/z.md");
    expect(ids()).toEqual({
      "notes/a.md": copied["notes/a.md"],
      "notes/copy.md": copied["notes/copy.md"],
      "notes/z.md": copied["notes/b.md"],
    });
  });

  test.each([true, false])(
    "[house.renames.swap] two files that change names keep their ids (a shelf that knows moves: %s)",
    async (relocates) => {
      const { place, takeIn, ids, before, texts } = await started(
        { "notes/a.md": "one", "notes/b.md": "two" },
        { relocates },
      );
      renameSync(place("notes/a.md"), place("notes/c"));
      renameSync(place("notes/b.md"), place("notes/a.md"));
      renameSync(place("notes/c"), place("notes/b.md"));
      await takeIn("notes/b.md", "notes/a.md");

      expect(ids()).toEqual({
        "notes/a.md": before["notes/b.md"],
        "notes/b.md": before["notes/a.md"],
      });
      expect(texts()).toEqual({ "notes/a.md": "two", "notes/b.md": "one" });
    },
  );

  test.each([true, false])(
    "[house.renames.chain] a chain of renames in one batch keeps every id (a shelf that knows moves: %s)",
    async (relocates) => {
      const files = { "notes/a.md": "one", "notes/b.md": "two", "notes/c.md": "three" };
      const { move, takeIn, ids, before, texts } = await started(files, { relocates });
      move("notes/c.md", "notes/d.md");
      move("notes/b.md", "notes/c.md");
      move("notes/a.md", "notes/b.md");
      await takeIn("notes/a.md", "notes/b.md", "notes/c.md", "notes/d.md");

      expect(ids()).toEqual({
        "notes/b.md": before["notes/a.md"],
        "notes/c.md": before["notes/b.md"],
        "notes/d.md": before["notes/c.md"],
      });
      expect(texts()).toEqual({ "notes/b.md": "one", "notes/c.md": "two", "notes/d.md": "three" });
    },
  );

  test("a chain whose end alone is told of is followed to its beginning", async () => {
    const { move, takeIn, ids, before } = await started({
      "notes/a.md": "one",
      "notes/b.md": "two",
    });
    move("notes/b.md", "notes/c.md");
    move("notes/a.md", "notes/b.md");
    await takeIn("notes/c.md");
    await takeIn("notes/a.md", "notes/b.md");

    expect(ids()).toEqual({
      "notes/b.md": before["notes/a.md"],
      "notes/c.md": before["notes/b.md"],
    });
  });

  test("a file that is renamed over another takes its place, and the other is gone", async () => {
    const { move, takeIn, ids, before, texts, told } = await started({
      "notes/a.md": "one",
      "notes/b.md": "two",
    });
    move("notes/a.md", "notes/b.md");
    const counts = await takeIn("notes/a.md", "notes/b.md");

    expect(counts).toMatchObject({ moved: 1, removed: 1 });
    expect(ids()).toEqual({ "notes/b.md": before["notes/a.md"] });
    expect(texts()).toEqual({ "notes/b.md": "one" });
    expect(told).toContainEqual({ topic: "resource.updated", about: "notes/b.md" });
  });

  test("a backup beside a file that is saved anew leaves the file its id", async () => {
    const { move, put, takeIn, ids, before } = await started({ "notes/a.md": "one" });
    move("notes/a.md", "notes/a.old.md");
    put("notes/a.md", "two");
    await takeIn("notes/a.md", "notes/a.old.md");

    expect(ids()).toMatchObject(before);
  });

  test("a name that changes only in its case is a rename", async () => {
    const { move, takeIn, ids, before } = await started({ "notes/readme.md": "one" });
    move("notes/readme.md", "notes/README.md");
    await takeIn("notes/readme.md", "notes/README.md");

    expect(ids()).toEqual({ "notes/README.md": before["notes/readme.md"] });
  });

  test("a file that is renamed and edited at once is another document", async () => {
    const { move, put, takeIn, texts } = await started({ "notes/a.md": "one" });
    move("notes/a.md", "notes/b.md");
    put("notes/b.md", "one and more");
    const counts = await takeIn("notes/a.md", "notes/b.md");

    expect(counts).toMatchObject({ added: 1, removed: 1, moved: 0 });
    expect(texts()).toEqual({ "notes/b.md": "one and more" });
  });
});

test.each([
  ["its end", ["notes/a.md", "notes/b.md"]],
  ["its new name", ["notes/b.md", "notes/a.md"]],
])(
  "[house.renames.apart] a rename that is told in two batches, first %s, keeps the id",
  async (_, places) => {
    const { put, move, place, roots, open } = openFolders();
    put("notes/a.md", "one");
    const { intake, ids, texts } = open();
    await intake.scan(roots);
    const before = ids();
    move("notes/a.md", "notes/b.md");
    for (const told of places) await intake.lookAt(roots, [place(told)]);

    expect(ids()).toEqual({ "notes/b.md": before["notes/a.md"] });
    expect(texts()).toEqual({ "notes/b.md": "one" });
  },
);

test("[house.renames.ending] a file that gets another ending is read anew under its id", async () => {
  const { put, move, roots, open } = openFolders({ relocates: true });
  const all = roots.map((root) => ({ ...root, pattern: "**/*" }));
  put("notes/a.md", "* one");
  put("notes/b.md", "two");
  const { intake, ids, texts, relocated } = open();
  await intake.scan(all);
  const before = ids();
  move("notes/a.md", "notes/a.org");
  move("notes/b.md", "notes/c.md");
  await intake.scan(all);

  expect(ids()).toEqual({
    "notes/a.org": before["notes/a.md"],
    "notes/c.md": before["notes/b.md"],
  });
  expect(texts()).toEqual({ "notes/a.org": "# one", "notes/c.md": "two" });
  expect(relocated).toEqual(["b.md → c.md"]);
});

test("an id that was given away is not given twice", async () => {
  const { put, remove, roots, open } = openFolders();
  put("notes/a.md", "one");
  const { intake, ids } = open();
  await intake.scan(roots);
  const [first] = Object.values(ids());
  remove("notes/a.md");
  await intake.scan(roots);
  put("notes/other.md", "two");
  await intake.scan(roots);
  expect(Object.values(ids())).not.toContain(first);
  put("notes/b.md", "one");
  put("notes/c.md", "one");
  await intake.scan(roots);

  const { "notes/b.md": b, "notes/c.md": c } = ids();
  expect([b, c].filter((id) => id === first)).toHaveLength(1);
});

test("a file whose time goes back with its name is still the same", async () => {
  const { put, move, place, roots, open } = openFolders();
  put("notes/a.md", "one");
  const { intake, ids } = open();
  await intake.scan(roots);
  const before = ids();
  move("notes/a.md", "notes/b.md");
  utimesSync(place("notes/b.md"), 1, 1);
  await intake.scan(roots);

  expect(ids()).toEqual({ "notes/b.md": before["notes/a.md"] });
  expect(readFileSync(place("notes/b.md"), "utf8")).toBe("one");
});
