import { expect, test } from "vitest";
import { clientsOf } from "../../../../tests/contract/surface-clients.ts";
import { searchLibrary } from "../../../../tests/fixtures/search/search-library.ts";

test("[search.contexts.cli-text] a path without a text is refused, and nothing is stored", async () => {
  const { library } = await searchLibrary({ "notes/a.md": "a", "notes/deep/b.md": "b" });
  await library.runtime.store.run(
    library.runtime.config.update(({ collections }) => {
      collections.elsewhere = { path: library.settings.root, pattern: "*.none" };
    }),
  );
  const { shell } = clientsOf(library, library.catalogue.shelves);

  for (const place of ["notes", "notes/deep", "elsewhere"]) {
    const { code, err } = await shell("context", "add", place);
    expect([place, code]).toEqual([place, 2]);
    expect(err).toContain("Usage: lectern context add [path] <text...>");
  }
  expect((await shell("context", "list")).out).toBe("No contexts yet.\n");
  expect((await shell("context", "add", "What was said")).code).toBe(0);
  expect((await shell("context", "add", "notes", "notes")).code).toBe(0);
});
