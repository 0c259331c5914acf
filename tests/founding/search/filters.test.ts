import { renameSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type QmdServer, startQmdServer } from "./qmd-library.ts";

/** Filters, several passages per file, and reading one's own writes. */
let server: QmdServer;

const filler = "Weather, tides and the price of oil. ".repeat(40);

beforeAll(async () => {
  server = await startQmdServer({
    "small/needle.md": `# Other things\n\n${filler}\n\nAnd css, once.\n`,
    "small/second.md": `---\nstatus: draft\n---\n\n# More\n\n${filler}\n\ncss\n`,
    ...Object.fromEntries(
      Array.from({ length: 1_200 }, (_, n) => [`huge/css-${n}.md`, `# css ${n}\n\ncss css css\n`]),
    ),
    "journal/2026-05-01.md":
      "---\ntitle: May\ndate: 2026-05-01\nstatus: draft\nyear: 2026\ntags: [sea, storm]\n---\n\nA gale.\n",
    "journal/2025-11-30.md":
      "---\ndate: 2025-11-30\nstatus: final\nyear: 2025\ntags:\n  - sea\nauthor:\n  name: Ada\n---\n\nA gale.\n",
    "journal/old/2009.md": "---\ntitle: Long ago\ndate: 2009-01-01\nyear: 2009\n---\n\nA gale.\n",
    "book/chapters.md": [
      "# The book",
      "",
      "Of lighthouses.",
      "",
      "## Fresnel",
      "",
      "The lens of the lighthouse.",
      "It turns.",
      "",
      "## Fuel",
      "",
      "### Oil",
      "",
      "Oil for the lighthouse lens.",
      "",
      "## Nothing",
      "",
      "Of cooking.",
      "",
    ].join("\n"),
  });
});

afterAll(() => server.close());

const files = (hits: { file: string }[]): string[] => hits.map(({ file }) => file).sort();

async function filesMatching(input: object): Promise<string[]> {
  const { status, body } = await server.rest("POST /search", { query: "gale", ...input });
  expect(status, body.detail).toBe(200);
  return files(body.results);
}

test("[search.filter.loses-nothing] searching a small collection beside a huge one misses nothing", async () => {
  const input = { query: "css", collection: "small" };

  expect(files(await server.resultsOf("search", input))).toEqual([
    "small/needle.md",
    "small/second.md",
  ]);
  expect(files(await server.resultsOf("query", input))).toEqual([
    "small/needle.md",
    "small/second.md",
  ]);
  expect(
    files(await server.resultsOf("search", { query: "css", collections: ["small", "journal"] })),
  ).toEqual(["small/needle.md", "small/second.md"]);
  expect(
    files(await server.resultsOf("search", { query: "css", filter: ["status=draft"] })),
  ).toEqual(["small/second.md"]);
  expect(files(await server.resultsOf("search", { query: "css", path: "small/need*" }))).toEqual([
    "small/needle.md",
  ]);
});

test("[search.filter.front-matter] front matter conditions work for numbers, words and lists", async () => {
  expect(await filesMatching({ filter: ["status=draft"] })).toEqual(["journal/2026-05-01.md"]);
  expect(await filesMatching({ filter: ["year>=2025"] })).toHaveLength(2);
  expect(await filesMatching({ filter: ["year<2010"] })).toEqual(["journal/old/2009.md"]);
  expect(await filesMatching({ filter: ["tags=sea", "tags=storm"] })).toEqual([
    "journal/2026-05-01.md",
  ]);
  expect(await filesMatching({ filter: ["tags"] })).toHaveLength(2);
  expect(await filesMatching({ filter: ["status!=draft"] })).toHaveLength(2);
  expect(await filesMatching({ filter: ["status in draft,final"] })).toHaveLength(2);
  expect(await filesMatching({ filter: ["author.name=Ada"] })).toEqual(["journal/2025-11-30.md"]);
});

test("[search.filter.conditions] a condition can be given as key, operator and value", async () => {
  const filter = [{ key: "year", operator: ">=", value: 2026 }];
  const expected = ["journal/2026-05-01.md"];

  expect(await filesMatching({ filter })).toEqual(expected);
  for (const { over, call } of server.agents) {
    const { structuredContent } = await call("search", { query: "gale", filter });
    expect(files(structuredContent.results), over).toEqual(expected);
  }
  expect(
    await filesMatching({ filter: [{ key: "tags", operator: "contains", value: "stor" }] }),
  ).toEqual(expected);
  for (const invalid of [
    [{ key: "year", operator: "~", value: 1 }],
    [{ operator: "=" }],
    ["= 3"],
  ]) {
    const { status, body } = await server.rest("POST /search", { query: "gale", filter: invalid });
    expect(status, JSON.stringify(invalid)).toBe(400);
    expect(body.detail).toContain("filter");
  }
});

test("[search.filter.dates] documents are filtered by their own date", async () => {
  expect(files(await server.resultsOf("search", { query: "gale", after: "2026-01-01" }))).toEqual([
    "journal/2026-05-01.md",
  ]);
  expect(await filesMatching({ before: "2010-01-01" })).toEqual(["journal/old/2009.md"]);
  expect(await filesMatching({ after: "2025-01-01", before: "2026-05-01" })).toEqual([
    "journal/2025-11-30.md",
  ]);
  expect((await server.failureOf("search", { query: "gale", after: "soon" })).status).toBe(400);
});

test("[search.filter.path] documents are filtered by a glob over their paths", async () => {
  expect(
    files(await server.resultsOf("search", { query: "gale", path: "journal/2026-*" })),
  ).toEqual(["journal/2026-05-01.md"]);
  expect(await filesMatching({ path: "journal/**" })).toHaveLength(3);
  expect(await filesMatching({ path: "old/*.md" })).toEqual(["journal/old/2009.md"]);
  expect(await filesMatching({ path: "nowhere/*" })).toEqual([]);
});

test("[search.passages.per-file] several passages of a file have their headings and correct line numbers", async () => {
  const input = { query: "lighthouse lens", collection: "book" };
  expect(await server.resultsOf("search", input)).toHaveLength(1);
  const hits = await server.resultsOf("search", { ...input, perFile: 5 });

  expect(hits.map(({ headings, line, endLine }) => [headings, line, endLine])).toEqual(
    expect.arrayContaining([
      [["The book"], 1, 4],
      [["The book", "Fresnel"], 5, 9],
      [["The book", "Fuel", "Oil"], 10, 15],
    ]),
  );
  expect(hits).toHaveLength(3);
  expect(await server.resultsOf("search", { ...input, perFile: 2 })).toHaveLength(2);
  for (const { line, endLine } of hits) {
    const { text } = await server.documentOf({
      file: `book/chapters.md:${line}:${endLine - line + 1}`,
    });
    expect(text).toMatch(/[Ll]ighthouse/);
  }
});

test("[search.explain.words] on request each result lists what each word contributed to its score", async () => {
  const input = { query: "lighthouse oil zebra", collection: "book" };
  const [hit] = await server.resultsOf("search", { ...input, explain: true });

  expect(hit?.explain?.map(({ word }) => word)).toEqual(["lighthouse", "oil", "zebra"]);
  const [, oil, zebra] = hit?.explain ?? [];
  expect(oil?.strength).toBeGreaterThan(0);
  expect(zebra?.strength).toBe(0);
  const weights = hit?.explain?.reduce((sum, { weight }) => sum + weight, 0);
  expect(weights).toBeCloseTo(1, 1);
  expect((await server.resultsOf("search", input))[0]).not.toHaveProperty("explain");
});

test("[search.full.body] on request each result contains the whole text", async () => {
  const [hit] = await server.resultsOf("search", { query: "gale", path: "old/*", full: true });

  expect(hit?.body).toBe("---\ntitle: Long ago\ndate: 2009-01-01\nyear: 2009\n---\n\nA gale.\n");
});

test("[search.all.results] on request all results are returned, regardless of the limit", async () => {
  const { body } = await server.rest("POST /search", { query: "css", all: true });

  expect(body.results).toHaveLength(1_202);
});

test("[search.revision.wait] a call with a revision sees at least that state, on every surface", async () => {
  server.write("small/fresh.md", "# Fresh\n\nA quagga.\n");
  const { body } = await server.rest("POST /update", {});
  const status = await server.rest("GET /status");
  expect(status.body.revision).toBeGreaterThanOrEqual(body.revision);

  const hits = await server.resultsOf("search", { query: "quagga", minRevision: body.revision });
  expect(files(hits)).toEqual(["small/fresh.md"]);
});

test("[search.revision.not-yet] a revision that is not reached in time is reported as such", async () => {
  const { status, body } = await server.rest("POST /search", {
    query: "gale",
    min_revision: 1_000_000,
  });
  expect(status).toBe(503);
  expect(body.detail).toContain("1000000");
});

test("[search.renames.docid] a renamed document keeps its docid", async () => {
  const [before] = await server.resultsOf("search", { query: "gale", path: "old/2009.md" });
  renameSync(server.pathOf("journal/old/2009.md"), server.pathOf("journal/2009 again.md"));
  await server.rest("POST /update", {});
  const [after] = await server.resultsOf("search", { query: "gale", path: "journal/2009*" });

  expect(after).toEqual({ ...before, file: "journal/2009 again.md" });
  expect((await server.documentOf({ file: before?.docid })).name).toBe("journal/2009 again.md");
});

test("[search.renames.collection] documents of a renamed collection keep their docids", async () => {
  const [before] = await server.resultsOf("search", { query: "lens", collection: "book" });
  await server.rest("PUT /collections/book", { new_name: "volume" });
  const [after] = await server.resultsOf("search", { query: "lens", collection: "volume" });

  expect(after).toEqual({ ...before, file: "volume/chapters.md" });
});
