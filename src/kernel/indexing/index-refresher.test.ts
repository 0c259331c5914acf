import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { openFolders } from "../../../tests/fixtures/files/watched-folders.ts";

async function openTracked() {
  const folders = openFolders();
  folders.put("notes/a.md", "one");
  folders.put("notes/deep/er/b.md", "two");
  const { refresher, texts } = folders.open();
  await refresher.refresh();
  return {
    ...folders,
    async found() {
      await refresher.refresh();
      return texts();
    },
  };
}

test("[core.refresh.written] a file that was written, created, renamed or removed just before is indexed", async () => {
  const { found, place, put } = await openTracked();
  expect(await found()).toEqual({ "notes/a.md": "one", "notes/deep/er/b.md": "two" });

  put("notes/a.md", "changed");
  put("notes/deep/er/c.md", "new");
  renameSync(place("notes/deep/er/b.md"), place("notes/b.md"));
  expect(await found()).toEqual({
    "notes/a.md": "changed",
    "notes/b.md": "two",
    "notes/deep/er/c.md": "new",
  });

  rmSync(place("notes/a.md"));
  expect(Object.keys(await found())).toEqual(["notes/b.md", "notes/deep/er/c.md"]);
});

test("[core.refresh.saved] an editor that saves by renaming over a file is noticed", async () => {
  const { found, place, put } = await openTracked();

  put("notes/.a.md.swp", "saved");
  renameSync(place("notes/.a.md.swp"), place("notes/a.md"));

  expect((await found())["notes/a.md"]).toBe("saved");
});

test("[core.refresh.folders] files in new, moved and removed folders are noticed, and later changes in them", async () => {
  const { found, place, put } = await openTracked();

  put("notes/new/folder/c.md", "three");
  renameSync(place("notes/deep"), place("notes/moved"));
  expect(await found()).toEqual({
    "notes/a.md": "one",
    "notes/moved/er/b.md": "two",
    "notes/new/folder/c.md": "three",
  });

  put("notes/new/folder/c.md", "four");
  put("notes/moved/er/b.md", "five");
  expect(Object.values(await found())).toEqual(["one", "five", "four"]);

  rmSync(place("notes/new"), { recursive: true });
  expect(Object.keys(await found())).toEqual(["notes/a.md", "notes/moved/er/b.md"]);
});

test("[core.refresh.rules] a change of the ignore rules applies to files that have not changed", async () => {
  const { found, put } = await openTracked();

  put("notes/deep/.gitignore", "er/\n");

  expect(Object.keys(await found())).toEqual(["notes/a.md"]);
});

test("[core.refresh.links] a change of a link's target outside the watched folders is noticed", async () => {
  const { found, place, put } = await openTracked();
  put("papers/.hidden/target.md", "before");
  symlinkSync(place("papers/.hidden/target.md"), place("papers/link.md"));
  expect((await found())["papers/link.md"]).toBe("before");

  writeFileSync(place("papers/.hidden/target.md"), "after!");

  expect((await found())["papers/link.md"]).toBe("after!");
});

test("[core.refresh.replaced] a root that is removed and created again is noticed", async () => {
  const { found, place } = await openTracked();
  rmSync(place("notes"), { recursive: true });
  expect(await found()).toEqual({});

  mkdirSync(dirname(place("notes/a.md")), { recursive: true });
  writeFileSync(place("notes/a.md"), "again");

  expect(await found()).toEqual({ "notes/a.md": "again" });
  expect(readdirSync(place("notes"))).toEqual(["a.md"]);
});

test("[core.refresh.together] concurrent refreshes all wait until the changes are indexed", async () => {
  const folders = openFolders();
  const { refresher, texts } = folders.open();
  await refresher.refresh();
  folders.put("notes/a.md", "one");

  const seen = [1, 2, 3].map(async () => {
    await refresher.refresh();
    return texts()["notes/a.md"];
  });

  expect(await Promise.all(seen)).toEqual(["one", "one", "one"]);
});
