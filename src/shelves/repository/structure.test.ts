import { posix } from "node:path";
import { expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { repositoryLibrary } from "../../../tests/fixtures/repository-library.ts";
import { ssgNames } from "./generators.ts";
import { categories, structureFiles } from "./structure.ts";

for (const ssg of ssgNames) {
  test(`[repository.structure.pages] ${ssg}: four parts, each with an index, and links that lead somewhere`, () => {
    const pages = new Map(structureFiles(ssg, true).map(({ file, text }) => [file, text]));
    const index = ssg === "hugo" ? "_index.md" : "index.md";

    for (const { folder, example } of categories) {
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

test("[repository.structure.examples] an example holds questions alone, and is left out when it is not wanted", () => {
  const bare = structureFiles("mkdocs", false).map(({ file }) => file);
  const examples = structureFiles("mkdocs", true).filter(({ file }) => !bare.includes(file));

  expect(bare).toHaveLength(5);
  expect(examples).toHaveLength(4);
  for (const { text } of examples) {
    const body = text.split("\n").slice(4);
    const prose = body.filter((line) => line !== "" && !/^(#|> \*\*Question:\*\*)/.test(line));
    expect(prose).toEqual([]);
  }
});

test("[repository.structure.told] the answer names what was made, in the original's words", async () => {
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
