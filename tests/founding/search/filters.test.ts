import { renameSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type QmdLibrary, qmdLibrary } from "./qmd-library.ts";

/** Filters that lose nothing, several passages of a file, and answers that are never too old. */
let library: QmdLibrary;

const filler = "Weather, tides and the price of oil. ".repeat(40);

beforeAll(async () => {
  library = await qmdLibrary({
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
}, 120_000);

afterAll(() => library.close());

const files = (hits: { file: string }[]): string[] => hits.map(({ file }) => file).sort();

async function narrowed(input: object): Promise<string[]> {
  const { status, body } = await library.rest("POST /search", { query: "gale", ...input });
  expect(status, body.detail).toBe(200);
  return files(body.results);
}

test("[search.filter.loses-nothing] searching a small collection beside a huge one misses nothing", async () => {
  const asked = { query: "css", collection: "small" };

  expect(files(await library.found("search", asked))).toEqual([
    "small/needle.md",
    "small/second.md",
  ]);
  expect(files(await library.found("query", asked))).toEqual([
    "small/needle.md",
    "small/second.md",
  ]);
  expect(
    files(await library.found("search", { query: "css", collections: ["small", "journal"] })),
  ).toEqual(["small/needle.md", "small/second.md"]);
  expect(files(await library.found("search", { query: "css", filter: ["status=draft"] }))).toEqual([
    "small/second.md",
  ]);
  expect(files(await library.found("search", { query: "css", path: "small/need*" }))).toEqual([
    "small/needle.md",
  ]);
});

test("[search.filter.front-matter] front matter conditions work for numbers, words and lists", async () => {
  expect(await narrowed({ filter: ["status=draft"] })).toEqual(["journal/2026-05-01.md"]);
  expect(await narrowed({ filter: ["year>=2025"] })).toHaveLength(2);
  expect(await narrowed({ filter: ["year<2010"] })).toEqual(["journal/old/2009.md"]);
  expect(await narrowed({ filter: ["tags=sea", "tags=storm"] })).toEqual(["journal/2026-05-01.md"]);
  expect(await narrowed({ filter: ["tags"] })).toHaveLength(2);
  expect(await narrowed({ filter: ["status!=draft"] })).toHaveLength(2);
  expect(await narrowed({ filter: ["status in draft,final"] })).toHaveLength(2);
  expect(await narrowed({ filter: ["author.name=Ada"] })).toEqual(["journal/2025-11-30.md"]);
});

test("[search.filter.conditions] a condition can be given as key, operator and value", async () => {
  const filter = [{ key: "year", operator: ">=", value: 2026 }];
  const expected = ["journal/2026-05-01.md"];

  expect(await narrowed({ filter })).toEqual(expected);
  for (const { over, call } of library.agents) {
    const { structuredContent } = await call("search", { query: "gale", filter });
    expect(files(structuredContent.results), over).toEqual(expected);
  }
  expect(
    await narrowed({ filter: [{ key: "tags", operator: "contains", value: "stor" }] }),
  ).toEqual(expected);
  for (const bad of [[{ key: "year", operator: "~", value: 1 }], [{ operator: "=" }], ["= 3"]]) {
    const { status, body } = await library.rest("POST /search", { query: "gale", filter: bad });
    expect(status, JSON.stringify(bad)).toBe(400);
    expect(body.detail).toContain("filter");
  }
});

test("[search.filter.dates] documents are filtered by their own date", async () => {
  expect(files(await library.found("search", { query: "gale", after: "2026-01-01" }))).toEqual([
    "journal/2026-05-01.md",
  ]);
  expect(await narrowed({ before: "2010-01-01" })).toEqual(["journal/old/2009.md"]);
  expect(await narrowed({ after: "2025-01-01", before: "2026-05-01" })).toEqual([
    "journal/2025-11-30.md",
  ]);
  expect((await library.refused("search", { query: "gale", after: "soon" })).status).toBe(400);
});

test("[search.filter.path] documents are filtered by a glob over their paths", async () => {
  expect(files(await library.found("search", { query: "gale", path: "journal/2026-*" }))).toEqual([
    "journal/2026-05-01.md",
  ]);
  expect(await narrowed({ path: "journal/**" })).toHaveLength(3);
  expect(await narrowed({ path: "old/*.md" })).toEqual(["journal/old/2009.md"]);
  expect(await narrowed({ path: "nowhere/*" })).toEqual([]);
});

test("[search.passages.per-file] several passages of a file have their headings and correct line numbers", async () => {
  const asked = { query: "lighthouse lens", collection: "book" };
  expect(await library.found("search", asked)).toHaveLength(1);
  const hits = await library.found("search", { ...asked, perFile: 5 });

  expect(hits.map(({ headings, line, endLine }) => [headings, line, endLine])).toEqual(
    expect.arrayContaining([
      [["The book"], 1, 4],
      [["The book", "Fresnel"], 5, 9],
      [["The book", "Fuel", "Oil"], 10, 15],
    ]),
  );
  expect(hits).toHaveLength(3);
  expect(await library.found("search", { ...asked, perFile: 2 })).toHaveLength(2);
  for (const { line, endLine } of hits) {
    const { text } = await library.got({ file: `book/chapters.md:${line}:${endLine - line + 1}` });
    expect(text).toMatch(/[Ll]ighthouse/);
  }
});

test("[search.explain.words] on request each result lists what each word contributed to its score", async () => {
  const asked = { query: "lighthouse oil zebra", collection: "book" };
  const [hit] = await library.found("search", { ...asked, explain: true });

  expect(hit?.explain?.map(({ word }) => word)).toEqual(["lighthouse", "oil", "zebra"]);
  const [, oil, zebra] = hit?.explain ?? [];
  expect(oil?.strength).toBeGreaterThan(0);
  expect(zebra?.strength).toBe(0);
  const weights = hit?.explain?.reduce((sum, { weight }) => sum + weight, 0);
  expect(weights).toBeCloseTo(1, 1);
  expect((await library.found("search", asked))[0]).not.toHaveProperty("explain");
});

test("[search.full.body] on request each result contains the whole text", async () => {
  const [hit] = await library.found("search", { query: "gale", path: "old/*", full: true });

  expect(hit?.body).toBe("---\ntitle: Long ago\ndate: 2009-01-01\nyear: 2009\n---\n\nA gale.\n");
});

test("[search.all.results] on request all results are returned, regardless of the limit", async () => {
  const { body } = await library.rest("POST /search", { query: "css", all: true });

  expect(body.results).toHaveLength(1_202);
});

test("[search.revision.wait] a call with a revision sees at least that state, on every surface", async () => {
  library.put("small/fresh.md", "# Fresh\n\nA quagga.\n");
  const { body } = await library.rest("POST /update", {});
  const status = await library.rest("GET /status");
  expect(status.body.revision).toBeGreaterThanOrEqual(body.revision);

  const hits = await library.found("search", { query: "quagga", minRevision: body.revision });
  expect(files(hits)).toEqual(["small/fresh.md"]);
});

test("[search.revision.not-yet] a revision that is not reached in time is reported as such", async () => {
  const { status, body } = await library.rest("POST /search", {
    query: "gale",
    min_revision: 1_000_000,
  });
  expect(status).toBe(503);
  expect(body.detail).toContain("1000000");
}, 30_000);

test("[search.renames.docid] a renamed document keeps its docid", async () => {
  const [before] = await library.found("search", { query: "gale", path: "old/2009.md" });
  renameSync(library.place("journal/old/2009.md"), library.place("journal/2009 again.md"));
  await library.rest("POST /update", {});
  const [after] = await library.found("search", { query: "gale", path: "journal/2009*" });

  expect(after).toEqual({ ...before, file: "journal/2009 again.md" });
  expect((await library.got({ file: before?.docid })).name).toBe("journal/2009 again.md");
});

test("[search.renames.collection] documents of a renamed collection keep their docids", async () => {
  const [before] = await library.found("search", { query: "lens", collection: "book" });
  await library.rest("PUT /collections/book", { new_name: "volume" });
  const [after] = await library.found("search", { query: "lens", collection: "volume" });

  expect(after).toEqual({ ...before, file: "volume/chapters.md" });
});
