import { expect, test } from "vitest";
import { growth } from "../../tests/fixtures/growth.ts";
import { frontmatterFacts } from "./markdown/frontmatter.ts";
import { findSectionByAnchor } from "./markdown/heading-anchors.ts";
import { documentTitle, splitSections } from "./markdown/headings.ts";
import { parseQuery } from "./search/query.ts";
import { createSnippet } from "./search/snippet.ts";
import { stemOf } from "./search/stems.ts";
import { tokenize, tokensWithOffsets } from "./search/tokens.ts";

const matter = (...lines: string[]): string[] => ["---", ...lines, "---"];
const many = (count: number, line: (place: number) => string): string[] =>
  Array.from({ length: count }, (_, place) => line(place));

/** A new word each time, since stems are cached. */
let asked = 0;
const longWord = (unit: string, count: number): string => unit.repeat(count + ++asked);

/** Inputs in files or queries that are expensive to parse, by size. */
const hostile: Record<string, (size: number) => unknown> = {
  "marks on one letter": (n) => tokenize(`a${"\u0301\u0316".repeat(n)}`),
  "marks of other scripts": (n) => tokenize(`א${"\u05b0\u05b9\u05b1\u1dc0\u1dc2".repeat(n)}`),
  "a long word": (n) => tokenize(longWord("a1_", n)),
  "a long English word": (n) => stemOf(longWord("ing", n)),
  "a long Russian word": (n) => stemOf(longWord("ёв", n)),
  "a long Greek word": (n) => stemOf(longWord("ος", n)),
  "a long Arabic word": (n) => stemOf(longWord("ال", n)),
  "a long Hindi word": (n) => stemOf(longWord("ाएगी", n)),
  "a long run without spaces": (n) => tokenize("漢".repeat(n)),
  "letters and signs in turn": (n) => tokenize("é—".repeat(n)),
  "emoji and halves of emoji": (n) => tokenize("😀\ud83d".repeat(n)),
  "places of marks": (n) => [...tokensWithOffsets(`a${"\u0301\u0316".repeat(n)}`)],

  "a list of front matter": (n) => frontmatterFacts(matter(`tags: [${"a,".repeat(n)}]`)),
  "quotes in a list": (n) =>
    frontmatterFacts(matter(`tags: [${`"'`.repeat(n)}]`, `more: ["${"',".repeat(n)}`)),
  "many keys": (n) => frontmatterFacts(matter(...many(n, (place) => `key${place}: x`))),
  "many lines below long keys": (n) =>
    frontmatterFacts(
      matter(
        ...many(8, (depth) => `${" ".repeat(depth)}${"k".repeat(n)}:`),
        ...many(n / 8, () => "         a:"),
      ),
    ),
  "deep nesting": (n) =>
    frontmatterFacts(matter(...many(Math.sqrt(n), (d) => `${" ".repeat(d)}k:`))),
  "spaces behind a colon": (n) => frontmatterFacts(matter(`a:${" ".repeat(n)}b${" ".repeat(n)}#c`)),
  colons: (n) =>
    frontmatterFacts(matter(":".repeat(n), `a${": ".repeat(n)}`, `a${":b".repeat(n)}`)),
  "front matter that never ends": (n) => frontmatterFacts(["---", ...many(n, () => `--- ${" "}x`)]),

  "many headings": (n) => splitSections(many(n, (place) => `${"#".repeat(1 + (place % 6))} h`)),
  "headings with nothing below": (n) => splitSections(many(n, () => "######")),
  "closing marks": (n) => documentTitle([`# a${" #".repeat(n)}b`, `# ${"#".repeat(n)} `], "x.md"),
  "a long underline": (n) => documentTitle(["x", `${"=".repeat(n)}${" ".repeat(n)}x`], "x.md"),
  "fences in fences": (n) => splitSections(many(n, (place) => "`".repeat(3 + (place % 5)))),
  "one long line": (n) => splitSections(["x ".repeat(n)]),
  "blank lines": (n) => splitSections(many(n, () => "   ")),
  "an anchor among equal headings": (n) =>
    findSectionByAnchor(
      many(n, () => "# a"),
      `a-${n - 1}`,
    ),
  "an anchor among look-alikes": (n) =>
    findSectionByAnchor(
      many(n, (at) => `# a-${at % 9}`),
      "none",
    ),

  "quotes in a query": (n) => parseQuery('" -"'.repeat(n)),
  "stars in a query": (n) => parseQuery("a* ** ".repeat(n)),
  "hyphens in a query": (n) => parseQuery(`${"-".repeat(n)} ${"- ".repeat(n)}`),
  "spaces in a query": (n) => parseQuery(`a${" ".repeat(n)}b`),

  "a snippet of a long line": (n) => createSnippet("x ".repeat(n), new Set(["y"]), 1),
  "a snippet of many lines": (n) => createSnippet("x\n".repeat(n), new Set(["x"]), 1),
};

test.each(Object.entries(hostile))(
  "[search.hostile.linear] time grows linearly with input size: %s",
  (_name, read) => {
    expect(growth(20_000, read)).toBeLessThan(10);
  },
);

test("[search.hostile.bounded] a huge heading is not copied to every section below it", () => {
  const heading = `# ${many(50_000, (place) => `word${place}`).join(" ")}`;
  const sections = splitSections([heading, "text", ...many(1_000, (place) => `## ${place}\ntext`)]);

  const copied = sections.reduce((sum, { headings }) => sum + headings.join("").length, 0);
  expect(sections).toHaveLength(1_001 + Math.ceil(heading.length / 8_000));
  expect(copied).toBeLessThan(1_000_000);
  expect(documentTitle([heading], "x.md").length).toBeLessThanOrEqual(300);
});
