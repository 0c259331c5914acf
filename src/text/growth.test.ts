import { expect, test } from "vitest";
import { growth } from "../../tests/fixtures/growth.ts";
import { sectionAt } from "./anchors.ts";
import { factsOf } from "./frontmatter.ts";
import { sectionsOf, titleOf } from "./headings.ts";
import { readQuery } from "./query.ts";
import { excerpt } from "./snippet.ts";
import { stemOf } from "./stems.ts";
import { placedTokens, tokensOf } from "./tokens.ts";

const matter = (...lines: string[]): string[] => ["---", ...lines, "---"];
const many = (count: number, line: (place: number) => string): string[] =>
  Array.from({ length: count }, (_, place) => line(place));

/** A word that was never asked for before, since stems are remembered. */
let asked = 0;
const longWord = (unit: string, count: number): string => unit.repeat(count + ++asked);

/** What somebody may put into a file or a query so that reading it never ends, by its size. */
const hostile: Record<string, (size: number) => unknown> = {
  "marks on one letter": (n) => tokensOf(`a${"\u0301\u0316".repeat(n)}`),
  "marks of other scripts": (n) => tokensOf(`א${"\u05b0\u05b9\u05b1\u1dc0\u1dc2".repeat(n)}`),
  "a long word": (n) => tokensOf(longWord("a1_", n)),
  "a long English word": (n) => stemOf(longWord("ing", n)),
  "a long Russian word": (n) => stemOf(longWord("ёв", n)),
  "a long Greek word": (n) => stemOf(longWord("ος", n)),
  "a long Arabic word": (n) => stemOf(longWord("ال", n)),
  "a long Hindi word": (n) => stemOf(longWord("ाएगी", n)),
  "a long run without spaces": (n) => tokensOf("漢".repeat(n)),
  "letters and signs in turn": (n) => tokensOf("é—".repeat(n)),
  "emoji and halves of emoji": (n) => tokensOf("😀\ud83d".repeat(n)),
  "places of marks": (n) => [...placedTokens(`a${"\u0301\u0316".repeat(n)}`)],

  "a list of front matter": (n) => factsOf(matter(`tags: [${"a,".repeat(n)}]`)),
  "quotes in a list": (n) =>
    factsOf(matter(`tags: [${`"'`.repeat(n)}]`, `more: ["${"',".repeat(n)}`)),
  "many keys": (n) => factsOf(matter(...many(n, (place) => `key${place}: x`))),
  "many lines below long keys": (n) =>
    factsOf(
      matter(
        ...many(8, (depth) => `${" ".repeat(depth)}${"k".repeat(n)}:`),
        ...many(n / 8, () => "         a:"),
      ),
    ),
  "deep nesting": (n) => factsOf(matter(...many(Math.sqrt(n), (d) => `${" ".repeat(d)}k:`))),
  "spaces behind a colon": (n) => factsOf(matter(`a:${" ".repeat(n)}b${" ".repeat(n)}#c`)),
  colons: (n) => factsOf(matter(":".repeat(n), `a${": ".repeat(n)}`, `a${":b".repeat(n)}`)),
  "front matter that never ends": (n) => factsOf(["---", ...many(n, () => `--- ${" "}x`)]),

  "many headings": (n) => sectionsOf(many(n, (place) => `${"#".repeat(1 + (place % 6))} h`)),
  "headings with nothing below": (n) => sectionsOf(many(n, () => "######")),
  "closing marks": (n) => titleOf([`# a${" #".repeat(n)}b`, `# ${"#".repeat(n)} `], "x.md"),
  "a long underline": (n) => titleOf(["x", `${"=".repeat(n)}${" ".repeat(n)}x`], "x.md"),
  "fences in fences": (n) => sectionsOf(many(n, (place) => "`".repeat(3 + (place % 5)))),
  "one long line": (n) => sectionsOf(["x ".repeat(n)]),
  "blank lines": (n) => sectionsOf(many(n, () => "   ")),
  "an anchor among equal headings": (n) =>
    sectionAt(
      many(n, () => "# a"),
      `a-${n - 1}`,
    ),
  "an anchor among look-alikes": (n) =>
    sectionAt(
      many(n, (at) => `# a-${at % 9}`),
      "none",
    ),

  "quotes in a query": (n) => readQuery('" -"'.repeat(n)),
  "stars in a query": (n) => readQuery("a* ** ".repeat(n)),
  "hyphens in a query": (n) => readQuery(`${"-".repeat(n)} ${"- ".repeat(n)}`),
  "spaces in a query": (n) => readQuery(`a${" ".repeat(n)}b`),

  "a snippet of a long line": (n) => excerpt("x ".repeat(n), new Set(["y"]), 1),
  "a snippet of many lines": (n) => excerpt("x\n".repeat(n), new Set(["x"]), 1),
};

test.each(Object.entries(hostile))(
  "[search.hostile.linear] four times as much takes about four times as long: %s",
  (_name, read) => {
    expect(growth(20_000, read)).toBeLessThan(10);
  },
);

test("[search.hostile.bounded] a heading that is a book is not copied to every section below it", () => {
  const heading = `# ${many(50_000, (place) => `word${place}`).join(" ")}`;
  const sections = sectionsOf([heading, "text", ...many(1_000, (place) => `## ${place}\ntext`)]);

  const copied = sections.reduce((sum, { headings }) => sum + headings.join("").length, 0);
  expect(sections).toHaveLength(1_001 + Math.ceil(heading.length / 8_000));
  expect(copied).toBeLessThan(1_000_000);
  expect(titleOf([heading], "x.md").length).toBeLessThanOrEqual(300);
});
