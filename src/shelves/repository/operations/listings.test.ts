import { expect, test } from "vitest";
import { repositoryLibrary } from "../../../../tests/fixtures/repository/repository-library.ts";

test("[repository.known.list] the server's folder, collection folders and analyzed repositories are offered once each", async () => {
  const { data, library, root, write } = repositoryLibrary({ "README.md": "# One\n" });
  write("packages/two/.git/HEAD", "ref: refs/heads/main\n");
  write("packages/two/docs/a.md", "# A\n");
  await library.runtime.store.run(
    library.runtime.config.update(({ collections }) => {
      collections.all = { path: root, pattern: "**/*.md" };
      collections.two = { path: `${root}/packages/two/docs`, pattern: "**/*.md" };
      collections.gone = { path: `${root}/gone`, pattern: "**/*.md" };
    }),
  );
  await data("analyze_repository", { path: "packages" });

  expect((await data("list_repositories")).repositories).toEqual([
    { path: root, name: "project", origin: "root" },
    { path: `${root}/packages/two`, name: "two", origin: "collection" },
    { path: `${root}/packages`, name: "packages", origin: "analysed" },
  ]);
});

test("[repository.known.map] every page has its kind, in pages of any number", async () => {
  const { data } = repositoryLibrary(
    Object.fromEntries(
      Array.from({ length: 120 }, (_, n) => [
        `docs/how-to/task-${String(n).padStart(3, "0")}.md`,
        `# How to do task ${n}\n\n1. Open the lid.\n2. Close it.\n`,
      ]),
    ),
  );
  const first = await data("documentation_map", { path: ".", limit: 100 });
  const rest = await data("documentation_map", { path: ".", cursor: first.next_cursor });

  expect(first).toMatchObject({ kinds: { "how-to": 120 }, total: 120, remaining: 20 });
  expect(first.missing).toEqual(["tutorial", "reference", "explanation"]);
  expect(rest.pages).toHaveLength(20);
  expect(rest.pages[0]).toMatchObject({ file: "docs/how-to/task-100.md", type: "how-to" });
});

test("[repository.known.documents] a file is found as a document from its repository and from a folder in it", async () => {
  const { data, library, root, write } = repositoryLibrary({ "src/lamp.ts": "export {};\n" });
  write(".git/HEAD", "ref: refs/heads/main\n");
  write("docs/guide/lamp.md", "# Lamp\n");
  const { config, indexer, roots } = library.runtime;
  await library.runtime.store.run(
    config.update(({ collections }) => {
      collections.guide = { path: `${root}/docs/guide`, pattern: "**/*.md" };
    }),
  );
  await indexer.scan(roots());
  const files = ["docs/guide/lamp.md", "docs/guide/gone.md", "src/lamp.ts", "../../etc/hosts"];

  for (const path of [".", "docs"]) {
    expect(await data("find_indexed_files", { path, files })).toEqual({
      documents: { "docs/guide/lamp.md": "guide/lamp.md" },
    });
  }
});
