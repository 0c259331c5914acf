import fc from "fast-check";
import { expect, test } from "vitest";
import { factsOf, frontmatterLength, frontmatterTitle } from "./frontmatter.ts";
import { linesOf } from "./lines.ts";

/** The facts as `key=value`, of front matter that is written without its marks. */
const facts = (written: string): string[] =>
  factsOf(linesOf(`---\n${written}\n---\ntext`)).map(({ key, value }) => `${key}=${value}`);

test("front matter begins on the very first line and has an end", () => {
  expect(frontmatterLength(linesOf("---\na: 1\n---\ntext"))).toBe(3);
  expect(frontmatterLength(linesOf("---  \na: 1\n...\ntext"))).toBe(3);
  for (const none of [
    "",
    "text",
    "\n---\na: 1\n---",
    " ---\na: 1\n---",
    "----\n---",
    "---\na: 1",
  ]) {
    expect(frontmatterLength(linesOf(none))).toBe(0);
    expect(factsOf(linesOf(none))).toEqual([]);
  }
});

test("words, numbers, dates and truth are facts as they are written", () => {
  expect(facts("status: draft\nyear: 2024\ndate: 2026-05-01\ndone: true\nnote: a: b")).toEqual([
    "status=draft",
    "year=2024",
    "date=2026-05-01",
    "done=true",
    "note=a: b",
  ]);
});

test("a list is one fact for each item, however it is written", () => {
  const expected = ["tags=tea", "tags=green leaf", "tags=a, b"];
  expect(facts('tags: [tea, green leaf, "a, b"]')).toEqual(expected);
  expect(facts("tags:\n  - tea\n  - green leaf\n  - 'a, b'")).toEqual(expected);
  expect(facts("tags:\n- tea\n- green leaf\n- a, b")).toEqual(expected);
  expect(facts("tags: []\nnone: [ ]")).toEqual([]);
});

test("a value inside another has the keys above it", () => {
  expect(facts("author:\n  name: Ada\n  home:\n    city: London\nyear: 1843")).toEqual([
    "author.name=Ada",
    "author.home.city=London",
    "year=1843",
  ]);
  expect(facts("authors:\n- name: Ada\n  year: 1\n- name: Bob")).toEqual([
    "authors.name=Ada",
    "authors.year=1",
    "authors.name=Bob",
  ]);
});

test("quotes and what they made necessary are taken off, and comments too", () => {
  expect(facts(`a: "it # is"\nb: 'it''s'\nc: "say \\"hi\\" \\\\ bye"\nd: C# # a comment`)).toEqual([
    "a=it # is",
    "b=it's",
    'c=say "hi" \\ bye',
    "d=C#",
  ]);
  expect(facts(`names: ['it''s', "a \\", b"]`)).toEqual(["names=it's", 'names=a ", b']);
});

test("what only a parser could read is left out and disturbs nothing", () => {
  const odd = [
    "text: |",
    "  status: not a fact",
    "",
    "  more: neither",
    "more: >-",
    "  folded",
    "anchor: &a x",
    "alias: *a",
    "tag: !!str x",
    "flow: {a: 1, b: 2}",
    "{braces: 1}",
    "? complex",
    "no colon",
    ": no key",
    "last: one",
  ];
  expect(facts(odd.join("\n"))).toEqual(["last=one"]);
});

test("the title is the front matter's own, and no other value's", () => {
  expect(frontmatterTitle(factsOf(linesOf("---\nbook:\n  title: No\ntitle: Yes\n---")))).toBe(
    "Yes",
  );
  expect(frontmatterTitle(factsOf(linesOf('---\ntitle: ""\n---')))).toBeUndefined();
  expect(frontmatterTitle(factsOf(linesOf("title: no\n---")))).toBeUndefined();
});

test("names that objects have of their own are names like others", () => {
  expect(facts("__proto__: a\nconstructor: b\ntoString:\n  x: c")).toEqual([
    "__proto__=a",
    "constructor=b",
    "toString.x=c",
  ]);
});

test("[search.hostile.matter] front matter that is a bomb gives a bounded number of bounded facts", () => {
  const bombs = {
    "many keys": Array.from({ length: 100_000 }, (_, place) => `key${place}: x`),
    "a long list": [`tags: [${"a,".repeat(500_000)}]`],
    "long lists": Array.from({ length: 1_000 }, () => `tags: [${"a,".repeat(1_000)}]`),
    "a long key": [`${"k".repeat(1_000_000)}: x`],
    "long keys above many": [
      `${"k".repeat(100_000)}:`,
      ...Array.from({ length: 5_000 }, (_, place) => `  a${place}: x`),
    ],
    "a long value": [`a: ${"v".repeat(1_000_000)}`],
    "deep nesting": Array.from({ length: 2_000 }, (_, depth) => `${" ".repeat(depth)}k: `),
    "nested lists": Array.from({ length: 2_000 }, (_, depth) => `${"- ".repeat(depth)}x: y`),
    brackets: [`a: ${"[".repeat(100_000)}`, `b: ${"[".repeat(100_000)}${"]".repeat(100_000)}`],
    quotes: [`a: [${`"`.repeat(100_001)}]`, `b: [${"'".repeat(100_001)}]`],
  };
  for (const [name, lines] of Object.entries(bombs)) {
    const found = factsOf(["---", ...lines, "last: one", "---"]);
    const size = found.reduce((sum, { key, value }) => sum + key.length + value.length, 0);
    expect(found.length, name).toBeLessThanOrEqual(500);
    expect(size, name).toBeLessThanOrEqual(500 * 1_200);
  }
});

test("any lines are read without an error, and no fact is without key or value", () => {
  const line = fc.string({ unit: fc.constantFrom(..."ab:- #[]{}\"',|>&*!\\\t"), maxLength: 20 });
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      for (const { key, value } of factsOf(["---", ...lines, "---"])) {
        expect(key).not.toBe("");
        expect(value).not.toBe("");
      }
    }),
    { numRuns: 1_000 },
  );
});
