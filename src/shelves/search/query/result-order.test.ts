import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { searchLibrary } from "../../../../tests/fixtures/search/search-library.ts";

test("[search.ranking.order] equal texts are ordered by path, regardless of insertion order", async () => {
  const text = "# The lamp\n\nA lamp is lit in the tower by night.\n";
  const { home, call, files } = await searchLibrary({ "z/b.md": text, "y/f.md": text });
  for (const file of ["z/c.md", "y/d.md", "z/a.md"]) {
    writeFileSync(join(home, file), text);
    await call("update_collections", {});
  }
  const inOrder = ["y/d.md", "y/f.md", "z/a.md", "z/b.md", "z/c.md"];
  expect(await files("lamp")).toEqual(inOrder);

  await call("embed", {});
  for (const name of ["vsearch", "query"]) {
    const { results } = (await call(name, { query: "a lamp lit by night" })) as {
      results: { file: string }[];
    };
    expect([name, results.map(({ file }) => file)]).toEqual([name, inOrder]);
  }
});
