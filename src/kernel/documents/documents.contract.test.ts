import { expect, test } from "vitest";
import { describeEveryStore, scriptOf } from "../../../tests/fixtures/stores/every-store.ts";
import { insertAll, type Steps, transaction } from "../storage/steps.ts";
import { conversionTables, openConversionCache } from "./conversion-cache.ts";
import { documentTables, openDocuments } from "./documents.ts";
import { incrementRevision, readRevision } from "./revision.ts";

describeEveryStore(scriptOf(documentTables, conversionTables), (openStore) => {
  const addDocuments = (files: readonly string[]): Steps<void> =>
    insertAll(
      "INSERT INTO documents (root, path, hash, size, modified, seen)",
      files.map((file, number) => {
        const [root = "", ...path] = file.split("/");
        return [root, path.join("/"), `hash ${number}`, 10 * number, number + 0.25, 100 + number];
      }),
    );

  async function openFilled() {
    const store = await openStore();
    await store.run(addDocuments(["notes/ä.md", "notes/Z.md", "notes/b/c.md", "papers/a.md"]));
    return { store, documents: openDocuments() };
  }

  test("[scale.documents] documents are found by path and id, listed page by page, and counted", async () => {
    const { store, documents } = await openFilled();
    const found = await store.run(documents.find("notes", "b/c.md"));
    expect(found).toMatchObject({ root: "notes", hash: "hash 2", size: 20, modified: 2.25 });
    expect(await store.run(documents.byId(found?.id ?? 0))).toEqual(found);
    expect(await store.run(documents.find("notes", "a.md"))).toBeUndefined();

    const everything = ["notes/Z.md", "notes/b/c.md", "notes/ä.md", "papers/a.md"];
    expect(await store.run(documents.paths())).toEqual(everything);
    const first = await store.run(documents.list({}, 3));
    const second = await store.run(documents.list({ after: first.at(-1) }, 3));
    expect([...first, ...second].map(({ root, path }) => `${root}/${path}`)).toEqual(everything);
    const inRoot = { root: "notes", after: { root: "notes", path: "b" } };
    expect((await store.run(documents.list(inRoot, 9))).map(({ path }) => path)).toEqual([
      "b/c.md",
      "ä.md",
    ]);
    expect(await store.run(documents.count(inRoot))).toBe(2);
    expect(await store.run(documents.count({ root: "notes" }))).toBe(3);
    expect(await store.run(documents.count())).toBe(4);
    expect(await store.run(documents.lastRead("notes"))).toBe(102);
    expect(await store.run(documents.lastRead("none"))).toBe(0);
  });

  test("[scale.documents] a store without documents has none", async () => {
    const store = await openStore();
    expect(await store.run(openDocuments().paths())).toEqual([]);
    expect(await store.run(openDocuments().count())).toBe(0);
  });

  test("[scale.revision] a change increases the revision by one, unless it is rolled back", async () => {
    const store = await openStore();
    const before = await store.run(readRevision());
    for (const isRolledBack of [false, true, false]) {
      const change = transaction(function* () {
        yield* incrementRevision();
        if (isRolledBack) throw new Error("no");
      });
      await Promise.resolve()
        .then(() => store.run(change))
        .catch(() => {});
    }
    expect(await store.run(readRevision())).toBe(before + 2);
  });

  test("[scale.conversions] converted texts are stored by hash, and dropped with the last document", async () => {
    const store = await openStore();
    const cache = openConversionCache();
    await store.run(addDocuments(["notes/a.pdf"]));
    await store.run(cache.store("hash 0", { reason: "it is damaged" }));
    await store.run(cache.store("hash 0", { text: "Words" }));
    await store.run(cache.store("hash 1", { reason: "it is empty" }));
    expect(await store.run(cache.find("hash 0"))).toEqual({ text: "Words" });
    expect(await store.run(cache.find("hash 1"))).toEqual({ reason: "it is empty" });
    await store.run(cache.dropUnused());
    await store.run(cache.dropDamaged());
    expect(await store.run(cache.find("hash 0"))).toEqual({ text: "Words" });
    expect(await store.run(cache.find("hash 1"))).toBeUndefined();
  });
});
