import { join } from "node:path";
import { expect, test } from "vitest";
import { openSample } from "../../../../tests/fixtures/library/sample-library.ts";

async function listed(flags: { forceRoot?: string }, collections: Record<string, string>) {
  const library = await openSample(flags);
  const { root } = library.settings;
  await library.runtime.store.run(
    library.runtime.config.update((draft) => {
      for (const [name, folder] of Object.entries(collections)) {
        draft.collections[name] = { path: join(root, folder), pattern: "**/*.md" };
      }
    }),
  );
  await library.runtime.indexer.scan(library.runtime.roots());
  const entry = library.catalogue.find("list_workspaces");
  if (!entry) throw new Error("There is no list_workspaces.");
  const outcome = await library.call(entry, {}, { actor: { surface: "test" } });
  await library.close();
  return { root, outcome };
}

test("[objects.tools.workspaces] a collection with objects reports its workspace and its path in it", async () => {
  const { root, outcome } = await listed({}, { things: "catalogue", staff: "catalogue/people" });
  expect(outcome).toMatchObject({
    ok: true,
    value: {
      workspaces: [
        {
          path: join(root, "catalogue"),
          collections: [
            { name: "things", folder: "" },
            { name: "staff", folder: "people" },
          ],
        },
      ],
    },
  });
});

test("[objects.tools.workspaces] without objects in any collection there is no workspace", async () => {
  const { outcome } = await listed({}, {});
  expect(outcome).toMatchObject({ ok: true, value: { workspaces: [] } });
});
