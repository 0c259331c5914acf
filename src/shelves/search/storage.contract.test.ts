import { expect, test } from "vitest";
import { describeEveryStore, scriptOf } from "../../../tests/fixtures/stores/every-store.ts";
import { documentTables } from "../../kernel/documents/documents.ts";
import { insertAll, run } from "../../kernel/storage/steps.ts";
import type { Store } from "../../kernel/storage/store.ts";
import {
  deleteMetadata,
  findDocumentAt,
  findDocumentById,
  findDocumentsByDate,
  findDocumentsByHash,
  findDocumentsByLanguage,
  findDocumentsBySuffix,
  findHitDocuments,
  listPathsInRoot,
  listPathsLike,
  saveMetadata,
  shortestUniqueHash,
} from "./storage.ts";
import { listAliasesInRoot, readAliases } from "./storage-aliases.ts";
import {
  countEmbedded,
  deleteChunks,
  findVectorsInUse,
  hasChunks,
  isUnchanged,
  measureUnembedded,
  readChunkRefsAfter,
  readDocumentOrder,
  readPassages,
  readUnembeddedDocuments,
  saveChunks,
} from "./storage-chunks.ts";
import {
  countLanguages,
  countValues,
  findFacetKeys,
  findLinkingDocuments,
  hasFacetKey,
  listFacetKeys,
  readDateRange,
} from "./storage-facets.ts";
import { type FactCondition, findDocumentsByFact } from "./storage-facts.ts";
import { countDocumentsAfter, type ListPosition, listDocumentsAfter } from "./storage-lists.ts";
import { searchTables } from "./tables.ts";

/** The metadata of the documents, which have the ids 1, 2 and so on. */
const abouts = [
  {
    title: "Lamp",
    date: 3_000,
    language: "en",
    facts: [
      { key: "Tags", value: "Light/Oil" },
      { key: "year", value: "9" },
      { key: "alias", value: "The Beacon" },
    ],
    targets: ["b/oil.md", "[[wick]]"],
  },
  {
    title: "Oil",
    date: undefined,
    language: "de",
    facts: [
      { key: "tags", value: "light" },
      { key: "year", value: "1010" },
    ],
    targets: ["lamp.md"],
  },
  {
    title: "Wick",
    date: 1_000,
    language: undefined,
    facts: [
      { key: "TAGS", value: "LIGHT" },
      { key: "Aliases", value: "Docht" },
    ],
    targets: ["lamp.md"],
  },
  { title: "Äther", date: 2_000, language: "de", facts: [], targets: [] },
];
const paths = ["notes/lamp.md", "notes/b/oil.md", "notes/b/Wick.md", "papers/äther/lamp.md"];
const hashes = ["aaaaaa11", "aaaaaa12", "bbbbbb11", "aaaaaa11"];

describeEveryStore(scriptOf(documentTables, searchTables), (openStore) => {
  async function openFilled(): Promise<Store> {
    const store = await openStore();
    await store.run(
      insertAll(
        "INSERT INTO documents (root, path, hash, size, modified, seen)",
        paths.map((file, index) => {
          const [root = "", ...path] = file.split("/");
          return [root, path.join("/"), hashes[index] ?? "", index, 5_000.5, 0];
        }),
      ),
    );
    const metadata = abouts.map((about, index) => ({ document: index + 1, ...about }));
    // The second time, it replaces the rows of the first.
    for (let time = 0; time < 2; time++) await store.run(saveMetadata(metadata));
    return store;
  }
  const idsOf = (rows: readonly { id: number }[]): number[] => rows.map(({ id }) => id);

  test("[scale.search.documents] documents are found by path, end of path, hash, date and language", async () => {
    const store = await openFilled();
    expect(await store.run(findDocumentAt("notes", "b/oil.md"))).toMatchObject({
      id: 2,
      title: "Oil",
      modified: 5_000.5,
    });
    expect(await store.run(findDocumentById(4))).toMatchObject({ title: "Äther" });
    expect(idsOf(await store.run(findDocumentsBySuffix("lamp.md")))).toEqual([1, 4]);
    expect(idsOf(await store.run(findDocumentsBySuffix("äther/lamp.md")))).toEqual([4]);
    const byHash = await store.run(findDocumentsByHash("aaaaaa"));
    expect(byHash.map(({ hash }) => hash).sort()).toEqual(["aaaaaa11", "aaaaaa12"]);
    const hits = await store.run(findHitDocuments([2, 3, 9]));
    expect([...hits.keys()].sort()).toEqual([2, 3]);
    const docids: string[] = [];
    for (const hit of hits.values()) docids.push(await store.run(shortestUniqueHash(hit)));
    expect(docids.sort()).toEqual(["aaaaaa12", "bbbbbb"]);
    const byDate = (after?: number, before?: number) =>
      store.run(findDocumentsByDate(after, before));
    expect((await byDate(2_000)).sort()).toEqual([1, 2, 4]);
    expect((await byDate(undefined, 2_000)).sort()).toEqual([3]);
    expect((await store.run(findDocumentsByLanguage("de"))).sort()).toEqual([2, 4]);
    const similar = await store.run(listPathsLike("wick"));
    expect(similar.map(({ path }) => path).sort()).toEqual(["b/Wick.md", "äther/lamp.md"]);
    expect((await store.run(listPathsInRoot("papers"))).sort()).toEqual(["äther/lamp.md"]);
    await store.run(deleteMetadata([1, 2]));
    expect(await store.run(findDocumentById(1))).toBeUndefined();
  });

  test.each<[FactCondition["key"], FactCondition["operator"], string[], number[]]>([
    ["tags", "=", ["light"], [1, 2, 3]],
    ["tag", "=", ["light"], []],
    ["TAGS", "=", ["light/oil"], [1]],
    ["tags", "!=", ["light/oil"], [2, 3, 4]],
    ["tags", "in", [], []],
    ["tags", "contains", ["IGHT/"], [1]],
    ["year", "=", ["9"], [1]],
    ["year", ">", ["10"], [2]],
    ["year", "<=", ["9.0"], [1]],
    ["year", ">", ["1"], [1, 2]],
    ["year", ">", ["1x"], [1]],
    ["Year", "in", ["9", "X"], [1]],
    ["year", "not in", ["9"], [2, 3, 4]],
    ["alias", "exists", [], [1]],
    ["alias", "=", ["the beacon"], [1]],
  ])("[scale.search.facts] %s %s %j", async (key, operator, values, expected) => {
    const store = await openFilled();
    const found = await store.run(findDocumentsByFact({ key, operator, values }));
    expect(found.sort()).toEqual(expected);
  });

  test("[scale.search.facets] languages, dates, keys, values, aliases and links", async () => {
    const store = await openFilled();
    expect(await store.run(countLanguages(undefined))).toEqual([
      { value: "de", documents: 2 },
      { value: "en", documents: 1 },
    ]);
    expect(await store.run(countLanguages("papers"))).toEqual([{ value: "de", documents: 1 }]);
    expect(await store.run(readDateRange(undefined))).toEqual({ first: 1_000, last: 5_000.5 });
    expect(await store.run(readDateRange("none"))).toEqual({ first: null, last: null });
    const keys = await store.run(findFacetKeys(undefined, 9));
    expect(keys.map(({ key, documents }) => [key.toLowerCase(), documents])).toEqual([["tags", 3]]);
    // By bytes: `Aliases` comes before `alias`.
    expect((await store.run(listFacetKeys())).map((key) => key.toLowerCase())).toEqual([
      "tags",
      "year",
      "aliases",
      "alias",
    ]);
    expect(await store.run(hasFacetKey("YEAR"))).toBe(true);
    expect(await store.run(hasFacetKey("weight"))).toBe(false);
    const values = await store.run(countValues(undefined, "tags", 9));
    expect(values.map(({ value, documents }) => [value.toLowerCase(), documents])).toEqual([
      ["light", 2],
      ["light/oil", 1],
    ]);
    expect(await store.run(readAliases(1))).toEqual(["The Beacon"]);
    expect((await store.run(listAliasesInRoot("notes"))).map(({ alias }) => alias).sort()).toEqual([
      "Docht",
      "The Beacon",
    ]);
    const targets = [
      ["notes", "lamp.md"],
      ["notes", "[[wick]]"],
      ["papers", "lamp.md"],
    ] as const;
    const linking = await store.run(findLinkingDocuments(targets));
    expect(linking.map(({ path }) => path)).toEqual(["b/Wick.md", "b/oil.md", "lamp.md"]);
  });

  test.each([
    ["path", false, ["b/Wick.md", "b/oil.md", "lamp.md", "äther/lamp.md"]],
    ["path", true, ["äther/lamp.md", "lamp.md", "b/oil.md", "b/Wick.md"]],
    ["name", false, ["lamp.md", "äther/lamp.md", "b/oil.md", "b/Wick.md"]],
    ["date", false, ["b/oil.md", "lamp.md", "äther/lamp.md", "b/Wick.md"]],
  ] as const)(
    "[scale.search.lists] lists in the order of %s, reversed %s, page by page",
    async (order, isReversed, expected) => {
      const store = await openFilled();
      const listing = { root: undefined, documents: [1, 2, 3, 4, 5], order, isReversed };
      const listed: string[] = [];
      for (let after: ListPosition | undefined; ; ) {
        const [next] = await store.run(listDocumentsAfter(listing, after, 1));
        const remaining = await store.run(countDocumentsAfter(listing, after));
        expect(remaining).toBe(expected.length - listed.length);
        if (!next) break;
        listed.push(next.path);
        after = [next.key, next.root, next.path];
      }
      expect(listed).toEqual(expected);
      const few = { ...listing, root: "notes", documents: undefined };
      expect(await store.run(countDocumentsAfter(few))).toBe(3);
    },
  );

  test("[scale.search.chunks] chunks are replaced by document, and read with their passages", async () => {
    const store = await openFilled();
    const chunk = (vector: number, text: string) => ({
      ...{ line: 1, endLine: 2, headings: ["Top", "– 燈"], isEnglish: vector === 7 },
      ...{ vector, text },
    });
    const refs = async (after: number) => [...(await store.run(readChunkRefsAfter(after)))];
    expect(await refs(0)).toEqual([]);
    expect(await store.run(hasChunks("model"))).toBe(false);
    await store.run(saveChunks(1, [chunk(6, "old")], "model"));
    await store.run(saveChunks(1, [chunk(7, "one"), chunk(8, "two")], "model"));
    const [first, second] = await refs(0);
    expect([first, second]).toMatchObject([
      { document: 1, vector: 7, isEnglish: true },
      { document: 1, vector: 8, isEnglish: false },
    ]);
    expect(await refs(first?.id ?? 0)).toEqual([second]);
    const passages = await store.run(readPassages([second?.id ?? 0, 99]));
    expect([...passages.values()]).toEqual([
      { line: 1, endLine: 2, headings: ["Top", "– 燈"], text: "two" },
    ]);
    expect(await store.run(hasChunks("model"))).toBe(true);
    expect(await store.run(findVectorsInUse("model"))).toEqual(new Set([7, 8]));
    expect(await store.run(countEmbedded("model", ["notes"]))).toEqual({
      documents: 3,
      embedded: 1,
    });
    expect(await store.run(measureUnembedded("model"))).toEqual({ documents: 3, bytes: 6 });
    expect(await store.run(measureUnembedded("model", ["papers"]))).toEqual({
      documents: 1,
      bytes: 3,
    });
    const unembedded = await store.run(readUnembeddedDocuments("model", undefined, 2, 9));
    expect(idsOf(unembedded)).toEqual([3, 4]);
    const [document] = unembedded;
    expect(document && (await store.run(isUnchanged(document)))).toBe(true);
    await store.run(run("UPDATE documents SET hash = 'x' WHERE id = 3"));
    expect(document && (await store.run(isUnchanged(document)))).toBe(false);
    expect([...(await store.run(readDocumentOrder(undefined))).keys()]).toEqual([3, 2, 1, 4]);
    expect([...(await store.run(readDocumentOrder(["papers"]))).keys()]).toEqual([4]);
    await store.run(deleteChunks([1]));
    expect(await refs(0)).toEqual([]);
  });
});
