import { posix } from "node:path";
import { expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { repositoryLibrary } from "../../../../tests/fixtures/repository/repository-library.ts";
import { ssgNames } from "../sites/site-generators.ts";
import { diataxisCategories, diataxisFiles } from "./diataxis-structure.ts";

for (const ssg of ssgNames) {
  test(`[repository.structure.pages] ${ssg}: four sections, each with an index and working links`, () => {
    const pages = new Map(diataxisFiles(ssg, true).map(({ file, text }) => [file, text]));
    const index = ssg === "hugo" ? "_index.md" : "index.md";

    for (const { folder, example } of diataxisCategories) {
      expect([...pages.keys()]).toEqual(
        expect.arrayContaining([`${folder}/${index}`, `${folder}/${example.file}`]),
      );
    }
    for (const [file, text] of pages) {
      const [, front = "", body = ""] = text.split(/^---\n/m);
      expect(parseYaml(front)).toMatchObject({ title: expect.any(String) });
      expect(body.trimStart()).toMatch(/^# /);
      for (const [, target = ""] of body.matchAll(/\]\(([^)]+)\)/g)) {
        expect([...pages.keys()]).toContain(posix.join(posix.dirname(file), target));
      }
    }
  });
}

test("[repository.structure.examples] an example contains only questions, and is optional", () => {
  const bare = diataxisFiles("mkdocs", false).map(({ file }) => file);
  const examples = diataxisFiles("mkdocs", true).filter(({ file }) => !bare.includes(file));

  expect(bare).toHaveLength(5);
  expect(examples).toHaveLength(4);
  for (const { text } of examples) {
    const body = text.split("\n").slice(4);
    const prose = body.filter((line) => line !== "" && !/^(#|> \*\*Question:\*\*)/.test(line));
    expect(prose).toEqual([]);
  }
});

test("[repository.structure.answer] the answer lists the created files, in the original's wording", async () => {
  const { data } = repositoryLibrary({ "docs/reference/old.md": "# Old\n" });

  expect(await data("setup_structure", { path: "docs", ssg: "jekyll" })).toMatchObject({
    docsPath: "docs",
    ssg: "jekyll",
    directoriesCreated: ["tutorials", "how-to", "explanation"],
    diataxisCategories: ["tutorials", "how-to", "reference", "explanation"],
    totalDirectories: 4,
    totalFiles: 9,
  });
});
