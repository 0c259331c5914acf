import { expect, test } from "vitest";
import {
  adrs,
  architectureLibrary,
  guidelines,
  patterns,
  smallTree,
} from "../../../../tests/fixtures/architecture/architecture-library.ts";

interface Found {
  results: {
    uri: string;
    document: string;
    title: string;
    resource_type: string;
    relevance_score: number;
    excerpt: string;
  }[];
  total_matches: number;
}

const searching = (files: Record<string, string>) => {
  const library = architectureLibrary(files);
  return {
    ...library,
    // An error text has no results, so a test that reads them fails.
    find: async (query: string, more: object = {}) =>
      (await library.tool("search-architecture", { query, ...more })) as unknown as Found,
  };
};

test("[architecture.search.answer] results have URI, title, kind, score and excerpt, best first", async () => {
  const { find } = searching(smallTree);
  const { results } = await find("sharing databases");

  expect(results[0]).toMatchObject({
    uri: "architecture://adr/001-microservices-architecture#decision",
    document: "architecture://adr/001-microservices-architecture",
    title: "1. Microservices architecture",
    resource_type: "adr",
    excerpt: expect.stringContaining("Services never share a database."),
  });
  const scores = results.map(({ relevance_score }) => relevance_score);
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
});

test("[architecture.search.words] whole words match in all inflected forms, and parts of words do not", async () => {
  const { find } = searching({
    [`${patterns}/a.md`]: "# A\n\nWe started early.\n",
    [`${patterns}/b.md`]: "# B\n\nThe art of it.\n",
  });

  expect((await find("art")).results.map(({ title }) => title)).toEqual(["B"]);
  expect((await find("starting")).results.map(({ title }) => title)).toEqual(["A"]);
});

test("[architecture.search.totals] the total counts every match, regardless of the limit", async () => {
  const many = Object.fromEntries(
    Array.from({ length: 37 }, (_, n) => [
      `${patterns}/p${n}.md`,
      `# P${n}\n\nA lamp.\n\n## More\n\nThe lamp again.\n`,
    ]),
  );
  const { find } = searching({ ...many, [`${guidelines}/g.md`]: "# G\n\nA lamp too.\n" });

  expect(await find("lamp", { max_results: 5 })).toMatchObject({
    total_matches: 38,
    results: { length: 5 },
  });
  expect(await find("lamp", { resource_type: "pattern", max_results: 20 })).toMatchObject({
    total_matches: 37,
    results: { length: 20 },
  });
  expect(await find("lamp", { resource_type: "guideline" })).toMatchObject({ total_matches: 1 });
  expect(await find("lamp", { resource_type: "adr" })).toEqual({ results: [], total_matches: 0 });
});

test("[architecture.search.order] results with equal scores always have the same order", async () => {
  const same = Object.fromEntries(
    Array.from({ length: 9 }, (_, n) => [`${patterns}/p${n}.md`, "# Same\n\nlamp\n"]),
  );
  const [one, other] = [searching(same), searching(same)];
  const first = await one.find("lamp");

  expect(await one.find("lamp")).toEqual(first);
  expect(await other.find("lamp")).toEqual(first);
});

test("[architecture.search.sections] the URI names the section, and reading it returns that section", async () => {
  const { find, rpc } = searching(smallTree);
  const [hit] = (await find("domain must not know", { resource_type: "pattern" })).results;

  expect(hit?.uri).toBe("architecture://patterns/repository-pattern#when-to-use-it");
  const { result } = await rpc("resources/read", { uri: hit?.uri });
  expect(JSON.stringify(result)).toContain("must not know the database");
  expect(JSON.stringify(result)).not.toContain("Implementation");
});

test("[architecture.search.fresh] search sees the latest created, changed and deleted files", async () => {
  const { find, write, remove } = searching(smallTree);
  expect((await find("zircon")).total_matches).toBe(0);
  write(`${patterns}/deep/er/new.md`, "# New\n\nzircon\n");
  expect((await find("zircon")).total_matches).toBe(1);
  write(`${patterns}/deep/er/new.md`, "# New\n\nbeetle\n");
  expect((await find("zircon")).total_matches).toBe(0);
  expect((await find("beetle")).total_matches).toBe(1);
  remove(`${patterns}/deep`);
  expect((await find("beetle")).total_matches).toBe(0);
});

test("[architecture.search.limits] the limits are 500 characters per query and 20 results", async () => {
  const { tool } = searching({ [`${adrs}/001-a.md`]: "# A\n" });
  const fails = (input: object) => tool("search-architecture", input);

  expect(await fails({ query: "𐐷".repeat(500) })).toMatchObject({ total_matches: 0 });
  for (const input of [
    { query: "𐐷".repeat(501) },
    { query: " " },
    {},
    { query: "a", max_results: 0 },
    { query: "a", max_results: 21 },
    { query: "a", resource_type: "others" },
  ]) {
    expect(await fails(input)).toMatch(/parameter '(query|max_results|resource_type)'/);
  }
});
