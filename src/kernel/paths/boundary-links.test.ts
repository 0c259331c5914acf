import { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openFolders } from "../../../tests/fixtures/files/watched-folders.ts";

/** Two folders, and a folder outside with a secret file. */
function openGround() {
  const folders = openFolders();
  const { place } = folders;
  mkdirSync(place("outside/deep"), { recursive: true });
  writeFileSync(place("outside/secret.md"), "SECRET");
  writeFileSync(place("outside/deep/secret.md"), "SECRET");
  const link = (to: string, at: string) => symlinkSync(place(to), place(at));
  return { ...folders, link };
}

test.each<[string, (link: (to: string, at: string) => void) => void]>([
  ["a file", (link) => link("outside/secret.md", "notes/leak.md")],
  ["a folder", (link) => link("outside", "notes/leak")],
  [
    "a chain of links that ends outside",
    (link) => {
      link("outside/secret.md", "notes/last");
      link("notes/last", "notes/middle");
      link("notes/middle", "notes/leak.md");
    },
  ],
  [
    "a file by way of a linked folder",
    (link) => {
      link("outside", "notes/way");
      link("notes/way/deep/secret.md", "notes/leak.md");
    },
  ],
  ["another collection", (link) => link("papers/other.md", "notes/leak.md")],
])("[core.boundary.links] a link to %s is never read, by a scan or by a look", async (_, plant) => {
  const { roots, open, put, place, link } = openGround();
  put("papers/other.md", "of the papers");
  plant(link);
  const { indexer, texts } = open();
  await indexer.scan(roots);
  const named = ["leak.md", "leak/secret.md", "leak/deep/secret.md", "way/deep/secret.md", "leak"];
  await indexer.indexPaths(
    roots,
    named.map((name) => place(`notes/${name}`)),
  );

  expect(texts()).toEqual({ "papers/other.md": "of the papers" });
});

test("[core.boundary.links] a file replaced by a link during a scan is not read", async () => {
  const { roots, open, put, place, link } = openGround();
  for (let index = 0; index < 450; index++) put(`notes/${1_000 + index}.md`, `page ${index}`);
  put("notes/zz/last.md", "last");
  const { indexer, texts } = open();
  let turns = 0;
  const { skipped } = await indexer.scan(roots, {
    // At this point every file is listed, and the last ones are not yet read.
    onProgress() {
      if (turns++ > 0) return;
      unlinkSync(place("notes/1449.md"));
      link("outside/secret.md", "notes/1449.md");
      renameSync(place("notes/zz"), place("notes/aside"));
      link("outside", "notes/zz");
      writeFileSync(place("outside/last.md"), "SECRET");
    },
  });

  expect(Object.keys(texts())).toHaveLength(449);
  expect(Object.values(texts())).not.toContain("SECRET");
  expect(skipped.map(({ path }) => path)).toEqual(["notes/1449.md", "notes/zz/last.md"]);
});

test("[core.links.target] a link inside the collection follows its target when it is edited, removed or restored, and is reported under the target's name", async () => {
  const { roots, open, put, move, remove, place, link } = openGround();
  put("notes/deep/page.md", "one");
  link("notes/deep/page.md", "notes/first.md");
  link("notes/first.md", "notes/second.md");
  link("notes/later.md", "notes/third.md");
  const { indexer, texts } = open();
  await indexer.scan(roots);
  const lookAt = async (path: string) => {
    await indexer.indexPaths(roots, [place(path)]);
    const { "notes/first.md": first, "notes/second.md": second, "notes/third.md": third } = texts();
    return [first, second, third];
  };

  put("notes/deep/page.md", "another");
  expect(await lookAt("notes/deep/page.md")).toEqual(["another", "another", undefined]);
  put("notes/later.md", "at last");
  expect(await lookAt("notes/later.md")).toEqual(["another", "another", "at last"]);
  move("notes/deep", "notes/elsewhere");
  expect(await lookAt("notes/deep")).toEqual([undefined, undefined, "at last"]);
  move("notes/elsewhere", "notes/deep");
  expect(await lookAt("notes/deep")).toEqual(["another", "another", "at last"]);
  rmSync(place("notes/first.md"));
  link("notes/later.md", "notes/first.md");
  expect(await lookAt("notes/first.md")).toEqual(["at last", "at last", "at last"]);
  remove("notes/later.md");
  expect(await lookAt("notes/later.md")).toEqual([undefined, undefined, undefined]);
});

test("a folder replaced by a link to another one inside is not entered", async () => {
  const { roots, open, put, place, remove, link } = openGround();
  put("notes/one/page.md", "one");
  put("notes/two/page.md", "two");
  const { indexer, texts } = open();
  await indexer.scan(roots);
  remove("notes/one");
  link("notes/two", "notes/one");
  await indexer.indexPaths(roots, [place("notes/one/page.md")]);
  await indexer.indexPaths(roots, [place("notes/one")]);

  expect(texts()).toEqual({ "notes/two/page.md": "two" });
});
