import { utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { searchLibrary } from "../../../../tests/fixtures/search/search-library.ts";

const matter = (...lines: string[]): string => `---\n${lines.join("\n")}\n---\ntext`;

const vault = {
  "vault/area/Zebra.md": matter("tags: [area/topic]", "date: 2026-03-01", "status: draft"),
  "vault/Beta.md": matter("date: 2026-05-01", "status: draft"),
  "vault/alpha.md": "text #area and #other",
  "vault/area/gamma.md": matter("date: 2024-01-01"),
  "work/beta.md": matter("date: 2026-03-01"),
};

async function lister() {
  const { call, library, home } = await searchLibrary(vault);
  utimesSync(join(home, "vault/alpha.md"), 1_000_000_000, 1_000_000_000);
  await library.runtime.indexer.scan([
    { name: "vault", path: join(home, "vault"), pattern: "**/*" },
  ]);
  const list = async (input: object = {}) => {
    const answer = await call("list_documents", input);
    if (!("documents" in answer)) throw new Error(String(answer.message));
    return answer as unknown as {
      documents: { file: string; date: string }[];
      total: number;
      next_cursor?: string;
    };
  };
  const files = async (input: object = {}) => (await list(input)).documents.map(({ file }) => file);
  return { list, files, call };
}

test("[search.list.order] documents are sorted by path, by file name or by date", async () => {
  const { files } = await lister();

  expect(await files()).toEqual(Object.keys(vault).toSorted());
  expect(await files({ reverse: true })).toEqual(Object.keys(vault).toSorted().toReversed());
  expect(await files({ sort: "name" })).toEqual([
    "vault/alpha.md",
    "vault/Beta.md",
    "work/beta.md",
    "vault/area/gamma.md",
    "vault/area/Zebra.md",
  ]);
  expect(await files({ sort: "date" })).toEqual([
    "vault/Beta.md",
    "vault/area/Zebra.md",
    "work/beta.md",
    "vault/area/gamma.md",
    "vault/alpha.md",
  ]);
  expect(await files({ sort: "date", reverse: true, limit: 2 })).toEqual([
    "vault/alpha.md",
    "vault/area/gamma.md",
  ]);
});

test("[search.list.filter] they are chosen by tag, front matter, path, date and collection", async () => {
  const { files, list } = await lister();

  expect(await files({ tags: ["area"] })).toEqual(["vault/alpha.md", "vault/area/Zebra.md"]);
  expect(await files({ tags: ["area", "#other"] })).toEqual(["vault/alpha.md"]);
  expect(await files({ filter: ["status=draft"], path: "area/*" })).toEqual([
    "vault/area/Zebra.md",
  ]);
  expect(await files({ after: "2026-01-01", collection: "work" })).toEqual(["work/beta.md"]);
  expect(await list({ tags: ["nothing"] })).toMatchObject({ documents: [], total: 0 });
  expect((await list({ collection: "work" })).documents[0]?.date).toBe("2026-03-01T00:00:00.000Z");
});

test("[search.list.feedback] conditions that match nothing are named, with the known values", async () => {
  const { list, call } = await lister();

  expect(await list({ filter: ["status=draught"] })).toMatchObject({
    documents: [],
    notes: [{ kind: "filter", key: "status", known: ["draft"] }],
  });
  expect(await list({ tags: ["nothing"] })).toMatchObject({
    documents: [],
    notes: [{ kind: "filter", key: "tags", known: ["area", "area/topic", "other"] }],
  });
  expect(await list({ tags: ["area"] })).not.toHaveProperty("notes");
  expect(await call("list_documents", { filter: ["sttus=draft"] })).toMatchObject({
    message: expect.stringMatching(/^Unknown filter key 'sttus'/),
  });
});

test("[search.list.pages] pages follow each other in every order, and lose and repeat nothing", async () => {
  const { list, files, call } = await lister();

  for (const sort of ["path", "name", "date"]) {
    for (const reverse of [false, true]) {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await list({ sort, reverse, limit: 1, ...(cursor && { cursor }) });
        seen.push(...page.documents.map(({ file }) => file));
        cursor = page.next_cursor;
      } while (cursor !== undefined);
      expect(seen).toEqual(await files({ sort, reverse }));
    }
  }
  const { next_cursor: cursor } = await list({ sort: "name", limit: 1 });
  expect(await call("list_documents", { sort: "date", cursor })).toMatchObject({ kind: "invalid" });
  expect(await call("list_documents", { cursor: "x" })).toMatchObject({ kind: "invalid" });
});
