import { expect, test } from "vitest";
import { searchLibrary } from "../../../../tests/fixtures/search/search-library.ts";

const matter = (...lines: string[]): string => `---\n${lines.join("\n")}\n---\nlamp`;

const pages = {
  "notes/draft.md": matter("status: draft", "year: 2024", "tags: [tea, green leaf]", "opt-in: yes"),
  "notes/done.md": matter("status: Done", "year: 2026", "tags:", "- tea", "size: 10"),
  "notes/old.md": matter("year: 999", "size: 9", "date: 2020-02-29"),
  "work/none.md": "lamp",
};

async function fitting() {
  const { files } = await searchLibrary(pages);
  return async (...filter: unknown[]) => {
    const found = await files("lamp", { filter });
    return typeof found === "string" ? found : found.map((file) => file.split("/")[1]).toSorted();
  };
}

test("[search.filter.conditions] a filter has the same meaning as an object and as a line", async () => {
  const having = await fitting();

  for (const line of ["status=draft", "status = draft", " status==draft ", "STATUS=DRAFT"]) {
    expect(await having(line), line).toEqual(["draft.md"]);
  }
  expect(await having({ key: "status", value: "draft" })).toEqual(["draft.md"]);
  expect(await having({ key: "status", operator: "eq", value: "draft" })).toEqual(["draft.md"]);
  expect(await having("tags in tea,nothing")).toEqual(["done.md", "draft.md"]);
  expect(await having({ key: "tags", operator: "in", value: ["tea", "nothing"] })).toEqual(
    await having("tags in tea , nothing"),
  );
  expect(await having("tags contains LEAF")).toEqual(["draft.md"]);
  expect(await having("tags")).toEqual(["done.md", "draft.md"]);
  expect(await having({ key: "tags", operator: "exists" })).toEqual(["done.md", "draft.md"]);
});

test("[search.filter.front-matter] numbers are compared as numbers, and all conditions must match", async () => {
  const having = await fitting();

  expect(await having("year>=2024")).toEqual(["done.md", "draft.md"]);
  expect(await having("year<2024")).toEqual(["old.md"]);
  expect(await having("size>9")).toEqual(["done.md"]);
  expect(await having({ key: "size", operator: "gte", value: 9 })).toEqual(["done.md", "old.md"]);
  expect(await having("year=2024.0")).toEqual(["draft.md"]);
  expect(await having("year>=2024", "tags=tea", "status!=draft")).toEqual(["done.md"]);
  expect(await having("year>3000")).toEqual([]);
});

test("a negated condition matches documents without the key", async () => {
  const having = await fitting();

  expect(await having("status!=draft")).toEqual(["done.md", "none.md", "old.md"]);
  expect(await having("tags not in tea")).toEqual(["none.md", "old.md"]);
  expect(await having({ key: "tags", operator: "nin", value: ["leaf"] })).toHaveLength(4);
});

test("a key that is also a keyword is a key", async () => {
  const having = await fitting();

  expect(await having("opt-in")).toEqual(["draft.md"]);
  expect(await having("opt-in=yes")).toEqual(["draft.md"]);
  expect(await having("opt-in in yes,no")).toEqual(["draft.md"]);
  expect(await having("built-in")).toMatch("Unknown filter key 'built-in'");
  expect(await having("contains")).toMatch("Unknown filter key 'contains'");
});

test("odd keys and values are only compared", async () => {
  const odd = {
    "notes/a.md": matter("__proto__: x", "constructor: y", "größe: groß", "a.b: 1", "q: 100%_'\\"),
    "notes/b.md": matter("plain: x"),
  };
  const { files } = await searchLibrary(odd);
  const having = (filter: unknown) => files("lamp", { filter: [filter] });

  for (const filter of [
    "__proto__=x",
    "constructor",
    { key: "größe", value: "groß" },
    "a.b=1",
    { key: "q", value: "100%_'\\" },
    { key: "q", operator: "contains", value: "%_'" },
  ]) {
    expect(await having(filter), JSON.stringify(filter)).toEqual(["notes/a.md"]);
  }
  for (const filter of [
    { key: "plain", value: "x' OR '1'='1" },
    { key: "plain", operator: "contains", value: "%" },
    { key: "plain", operator: "in", value: [] },
  ]) {
    expect(await having(filter), JSON.stringify(filter)).toEqual([]);
  }
  for (const key of ["toString", "' OR 1=1 --", "SELECT", '"', "灯台"]) {
    expect(await having({ key, value: "x" })).toBe(
      `Unknown filter key '${key}': no document has it.`,
    );
  }
});

test("an invalid condition is refused by its position, and nothing breaks", async () => {
  const having = await fitting();

  for (const operator of ["constructor", "__proto__", "like", "=; DROP TABLE", "", "toString"]) {
    const message = await having("tags", { key: "year", operator, value: 1 });
    expect(message).toBe(`Invalid parameter 'filter.1.operator': unknown operator '${operator}'.`);
  }
  expect(await having({ key: "year", operator: ">" })).toBe(
    "Invalid parameter 'filter.0.value': '>' needs a value.",
  );
  expect(await having({ key: "tags", operator: "=", value: ["tea", "milk"] })).toBe(
    "Invalid parameter 'filter.0.value': '=' takes one value; use 'in' for several.",
  );
  for (const line of ["=x", "!", "a b", "< 3", " "]) {
    expect(await having(line), line).toMatch(/^Invalid parameter 'filter\.0'/);
  }
});

test("[search.filter.dates] a document's date is its own, else that of its file", async () => {
  const { files } = await searchLibrary(pages);
  const thisYear = new Date().getUTCFullYear();

  expect(await files("lamp", { before: "2020-03-01" })).toEqual(["notes/old.md"]);
  expect(await files("lamp", { before: "2020-02-29" })).toEqual([]);
  expect(await files("lamp", { after: "2020-02-29", before: "2020-03" })).toEqual(["notes/old.md"]);
  expect(await files("lamp", { after: `${thisYear - 1}` })).toHaveLength(3);
  expect(await files("lamp", { after: "2020-02-28T23:59:59Z", before: "2021" })).toHaveLength(1);
});

test("[search.filter.dates] an invalid or nonexistent date is refused by name", async () => {
  const { files } = await searchLibrary(pages);
  const wrong = [
    "",
    "yesterday",
    "2026-13-01",
    "2026-00-01",
    "2026-02-31",
    "2025-02-29",
    "2026-1-1",
    "01.05.2026",
    "2026-05-01Tnoon",
    "+012026-05-01",
    "2026-05-01; DROP",
  ];
  for (const field of ["after", "before"]) {
    for (const date of wrong) {
      expect(await files("lamp", { [field]: date }), date).toBe(
        `Invalid parameter '${field}': write a date such as 2026-05-01.`,
      );
    }
  }
});

test("[search.filter.path] a glob filters by path or by collection and path, before the limit", async () => {
  const { files } = await searchLibrary(pages);

  expect(await files("lamp", { path: "work/**" })).toEqual(["work/none.md"]);
  expect(await files("lamp", { path: "d*.md", limit: 1 })).toHaveLength(1);
  expect(await files("lamp", { path: "none.md", filter: ["tags!=x"] })).toEqual(["work/none.md"]);
  expect(await files("lamp", { path: "../**" })).toEqual([]);
  expect(await files("lamp", { path: "{a,b}".repeat(20) })).toMatch(/^Invalid parameter 'path'/);
});
