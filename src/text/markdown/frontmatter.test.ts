import fc from "fast-check";
import { expect, test } from "vitest";
import { splitLines } from "../strings/lines.ts";
import { frontmatterFacts, frontmatterLength, frontmatterTitle } from "./frontmatter.ts";

/** The facts as `key=value`, for front matter given without `---`. */
const facts = (written: string): string[] =>
  frontmatterFacts(splitLines(`---\n${written}\n---\ntext`)).map(
    ({ key, value }) => `${key}=${value}`,
  );

test("front matter starts on the first line and must be closed", () => {
  expect(frontmatterLength(splitLines("---\na: 1\n---\ntext"))).toBe(3);
  expect(frontmatterLength(splitLines("---  \na: 1\n...\ntext"))).toBe(3);
  for (const none of [
    "",
    "text",
    "\n---\na: 1\n---",
    " ---\na: 1\n---",
    "----\n---",
    "---\na: 1",
  ]) {
    expect(frontmatterLength(splitLines(none))).toBe(0);
    expect(frontmatterFacts(splitLines(none))).toEqual([]);
  }
});

test("strings, numbers, dates and booleans are facts as written", () => {
  expect(facts("status: draft\nyear: 2024\ndate: 2026-05-01\ndone: true\nnote: a: b")).toEqual([
    "status=draft",
    "year=2024",
    "date=2026-05-01",
    "done=true",
    "note=a: b",
  ]);
});

test("a list is one fact per item, in any notation", () => {
  const expected = ["tags=tea", "tags=green leaf", "tags=a, b"];
  expect(facts('tags: [tea, green leaf, "a, b"]')).toEqual(expected);
  expect(facts("tags:\n  - tea\n  - green leaf\n  - 'a, b'")).toEqual(expected);
  expect(facts("tags:\n- tea\n- green leaf\n- a, b")).toEqual(expected);
  expect(facts("tags: []\nnone: [ ]")).toEqual([]);
});

test("a nested value has the path of its keys", () => {
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

test("quotes, escapes and comments are removed", () => {
  expect(facts(`a: "it # is"\nb: 'it''s'\nc: "say \\"hi\\" \\\\ bye"\nd: C# # a comment`)).toEqual([
    "a=it # is",
    "b=it's",
    'c=say "hi" \\ bye',
    "d=C#",
  ]);
  expect(facts(`names: ['it''s', "a \\", b"]`)).toEqual(["names=it's", 'names=a ", b']);
});

test("values that need a full parser are skipped without affecting others", () => {
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

test("the title is the front matter's top-level title only", () => {
  expect(
    frontmatterTitle(frontmatterFacts(splitLines("---\nbook:\n  title: No\ntitle: Yes\n---"))),
  ).toBe("Yes");
  expect(frontmatterTitle(frontmatterFacts(splitLines('---\ntitle: ""\n---')))).toBeUndefined();
  expect(frontmatterTitle(frontmatterFacts(splitLines("title: no\n---")))).toBeUndefined();
});

test("names of Object.prototype properties are ordinary names", () => {
  expect(facts("__proto__: a\nconstructor: b\ntoString:\n  x: c")).toEqual([
    "__proto__=a",
    "constructor=b",
    "toString.x=c",
  ]);
});

test("[search.hostile.matter] hostile front matter yields a bounded number of bounded facts", () => {
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
    const found = frontmatterFacts(["---", ...lines, "last: one", "---"]);
    const size = found.reduce((sum, { key, value }) => sum + key.length + value.length, 0);
    expect(found.length, name).toBeLessThanOrEqual(500);
    expect(size, name).toBeLessThanOrEqual(500 * 1_200);
  }
});

test("any lines are read without an error, and every fact has key and value", () => {
  const line = fc.string({ unit: fc.constantFrom(..."ab:- #[]{}\"',|>&*!\\\t"), maxLength: 20 });
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      for (const { key, value } of frontmatterFacts(["---", ...lines, "---"])) {
        expect(key).not.toBe("");
        expect(value).not.toBe("");
      }
    }),
    { numRuns: 1_000 },
  );
});
