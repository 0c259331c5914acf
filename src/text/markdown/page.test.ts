import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { growth } from "../../../tests/fixtures/growth.ts";
import { splitLines } from "../strings/lines.ts";
import { parseMarkdownPage } from "./page.ts";
import { decodeHtmlEntities } from "./unescape.ts";

const page = (text: string, options = {}) => parseMarkdownPage(splitLines(text), options);

/** Openings of constructs that are never closed. */
const hostilePieces = [
  ..."[ [a]( [a](<  ` < <!-- <? <a b=' ![ ] [a][ _a \\ www. <h1> `a`` <![CDATA[".split(/ +/),
  '[a](b "',
  "[a]: b\n",
  "> ",
];

/** The destinations of the links of a text, with their lines. */
const links = (text: string) =>
  page(text).links.map(({ destination, line }) => `${line} ${destination}`);

const anchors = (text: string) => [...page(text).anchors];

test("inline links have titles, angle brackets, escapes, entities and parentheses", () => {
  const cases: [string, string][] = [
    ["[a](b.md)", "b.md"],
    ['[a](b.md "title")', "b.md"],
    ["[a](b.md 'it''s')", ""],
    ["[a](b.md 'title')", "b.md"],
    ["[a](b.md (title))", "b.md"],
    ["[a]( b.md )", "b.md"],
    ["[a](<b c.md>)", "b c.md"],
    ['[a](<b c.md> "t")', "b c.md"],
    ["[a](b(1).md)", "b(1).md"],
    ["[a](b\\(1.md)", "b(1.md"],
    ["[a](b\\_c.md)", "b_c.md"],
    ["[a](b.md?x=1&amp;y=2)", "b.md?x=1&y=2"],
    ["[a](b%20c.md)", "b%20c.md"],
    ["[a]()", ""],
    ["[a](<>)", ""],
    ["[a\nb](c.md)", "c.md"],
    ["[a](\n  c.md\n)", "c.md"],
    ["[a [b] c](d.md)", "d.md"],
    ["[`]`](d.md)", "d.md"],
    ["**[a](b.md)**", "b.md"],
    ["![a](b.png)", "b.png"],
  ];
  const [, , broken, ...rest] = cases;
  expect(links(broken?.[0] ?? "")).toEqual([]);
  for (const [text, destination] of [...cases.slice(0, 2), ...rest]) {
    expect(links(text), text).toEqual([`1 ${destination}`]);
  }
});

test("an image may be the text of a link, and links are never nested", () => {
  expect(links("[![a](b.png)](c.md)")).toEqual(["1 b.png", "1 c.md"]);
  expect(links("[a [b](c.md) d](e.md)")).toEqual(["1 c.md"]);
  expect(links("[https://a.example](b.md)")).toEqual(["1 b.md"]);
});

test("references are full, collapsed or shortcut, with case-insensitive labels", () => {
  const text =
    "[one][L a], [L A][], [l a] and [none].\n\n[L\tA]: b.md\n  'a title'\n[x]: <c d.md>\n[x]";
  expect(links(text)).toEqual(["1 b.md", "1 b.md", "1 b.md", "6 c d.md"]);
  expect(page(text).links[0]).toMatchObject({ definedAt: 3 });
});

test("a reference without a definition is reported, and brackets in a sentence are not", () => {
  expect(links("[a][b] and [c][] but [d] and x[i][j] and [^1] and - [ ] task")).toEqual([
    "1 undefined",
    "1 undefined",
  ]);
});

test("code, comments and escaped brackets are not links", () => {
  for (const text of [
    "`[a](b.md)`",
    "`` ` [a](b.md) ``",
    "```\n[a](b.md)\n```",
    "~~~md\n```\n[a](b.md)\n~~~",
    "    [a](b.md)",
    "\t[a](b.md)",
    "- item\n\n      [a](b.md)",
    "> ```\n> [a](b.md)\n> ```",
    "1. step\n   ```\n   [a](b.md)\n   ```",
    "<!-- [a](b.md) -->",
    "<!--\n\n[a](b.md)\n\n-->",
    "text <!-- [a](b.md) --> text",
    "\\[a](b.md)",
    "[a\\](b.md)",
    "<pre>\n[a](b.md)\n</pre>",
    "<div>\n[a](b.md)\n</div>",
    "---\nlink: '[a](b.md)'\n---\n",
  ]) {
    expect(links(text), text).toEqual([]);
  }
});

test("code ends where its fence, list or quote ends", () => {
  expect(links("```\nx\n```\n[a](b.md)")).toEqual(["4 b.md"]);
  expect(links("- ```\n  x\n\n[a](b.md)")).toEqual(["4 b.md"]);
  expect(links("> ```\n> x\n\n[a](b.md)")).toEqual(["4 b.md"]);
  expect(links("text\n    [a](b.md)")).toEqual(["2 b.md"]);
  expect(links("an unclosed ` tick [a](b.md)")).toEqual(["1 b.md"]);
  expect(links("- one\n\n  [a](b.md)\n- two\n[c](d.md)")).toEqual(["3 b.md", "5 d.md"]);
});

test("tables, headings, quotes, lists and footnotes contain links", () => {
  const text =
    "| [a](1.md) | `x \\| [no](x.md)` |\n|---|---|\n| b | [c](2.md) |\n\n# [d](3.md)\n\n> [e](4.md)\n\n1) [f](5.md)\n\n[^n]: See [g](6.md).\n\n    And [h](7.md).";
  expect(links(text)).toEqual([
    "1 1.md",
    "3 2.md",
    "5 3.md",
    "7 4.md",
    "9 5.md",
    "11 6.md",
    "13 7.md",
  ]);
});

test("URLs may be in angle brackets or bare, without the sentence's punctuation", () => {
  expect(
    links("<https://a.example/x> <me@a.example> see https://b.example/y_(z), www.c.example."),
  ).toEqual([
    "1 https://a.example/x",
    "1 mailto:me@a.example",
    "1 https://b.example/y_(z)",
    "1 http://www.c.example",
  ]);
});

test("tags link by href, src, poster and srcset", () => {
  const text =
    '<p align="center">\n<a href="a.md"><img alt=x src=b.png></a>\n<source srcset="c.png 1x, d.png 2x">\n</p>\n\nText <a href=\'e.md?x&amp;y\'>e</a> and <A HREF="f.md">f</A>.';
  expect(links(text)).toEqual(["2 a.md", "2 b.png", "3 c.png", "3 d.png", "6 e.md?x&y", "6 f.md"]);
});

test("MDX comments contain no links", () => {
  const text = "{/*\n\n[a](b.md)\n\n*/}\n[c](d.md)";
  expect(page(text, { isMdx: true }).links.map(({ destination }) => destination)).toEqual(["d.md"]);
});

test("indented text below an admonition is text on MkDocs pages", () => {
  const text = '!!! note "Title"\n\n    [a](b.md)\n\n        [no](code.md)\n\n[c](d.md)';
  const found = (hasAdmonitions: boolean) =>
    page(text, { hasAdmonitions }).links.map(({ destination }) => destination);
  expect(found(true)).toEqual(["b.md", "d.md"]);
  expect(found(false)).toEqual(["d.md"]);
});

test("anchors are built from the visible text", () => {
  const cases: [string, string][] = [
    ["# Two Words", "two-words"],
    ["## `code_x` & [link](x.md) *em* _em_ **b**!", "code_x--link-em-em-b"],
    ["# snake_case_name", "snake_case_name"],
    ["# \\_escaped\\_", "_escaped_"],
    ["# ![logo](x.png) Title", "-title"],
    ["# 🚀 Start", "-start"],
    ["# A &amp; B", "a--b"],
    ["# Ünïcode 日本", "ünïcode-日本"],
    ["Under\n=====", "under"],
    ["> # Quoted", "quoted"],
    ["- # In a list", "in-a-list"],
    ["# Closed ##", "closed"],
    ["# C#", "c"],
    ['<h2 align="center">Raw <b>HTML</b></h2>', "raw-html"],
  ];
  for (const [text, anchor] of cases) expect(anchors(text), text).toEqual([anchor]);
});

test("tag ids and heading ids are anchors, and equal headings are numbered", () => {
  expect(
    anchors('<a name="old"></a>\n\n<div id="new">\n</div>\n\ntext <span id=mid>x</span>'),
  ).toEqual(["old", "new", "mid"]);
  expect(anchors("Words\n{: #kramdown }\n\n(myst-label)=\n\n[x]{#span .y}")).toEqual([
    "kramdown",
    "myst-label",
    "span",
  ]);
  expect(anchors("# Title {#own .x}")).toEqual(["own", "title-own-x"]);
  expect(anchors("# A\n# A\n# A-1\n# A")).toEqual(["a", "a-1", "a-1-1", "a-2"]);
  expect(anchors("```\n# no\n```\n<!-- # no -->\n# yes")).toEqual(["yes"]);
});

test("any text is parsed in linear time", () => {
  for (const piece of hostilePieces) {
    const grows = growth(4_000, (size) => {
      const text = piece.repeat(size / piece.length);
      page(text);
      page(`# ${text}`);
    });
    expect(grows, piece).toBeLessThan(9);
  }
  expect(growth(4_000, (size) => page(`# {${"#".repeat(size)}`))).toBeLessThan(9);
});

const examples = new URL(
  "../../../../shared/data/bad-input/commonmark/spec-examples.jsonl",
  import.meta.url,
);
const isThere = existsSync(examples);

test(`[repository.links.commonmark] links, headings and code are parsed according to CommonMark (${isThere ? "../shared/data" : "not there, only our own"})`, () => {
  const own = { markdown: "# [a](b)\n", html: '<h1><a href="b">a</a></h1>\n' };
  const cases: (typeof own)[] = isThere
    ? readFileSync(examples, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
    : [own];
  for (const { markdown, html } of cases) {
    // An empty line before it, so that a rule at the start does not begin front matter.
    const { links, headings, codeBlocks } = page(`\n${markdown}`);
    const leads = links.flatMap(({ kind, written, destination }) =>
      destination === undefined || (kind === "autolink" && !written.startsWith("<"))
        ? []
        : [decoded(destination)],
    );
    const wanted = [...html.matchAll(/<[a-z][^<>]*?\s(?:href|src)=(?:"([^"]*)"|'([^']*)')/g)];
    expect(leads.sort(), markdown).toEqual(
      wanted
        .map(([, double, single]) => decoded(decodeHtmlEntities(double ?? single ?? "")))
        .sort(),
    );
    expect(headings.length, markdown).toBe(html.match(/<h[1-6]>/g)?.length ?? 0);
    if (markdown.includes("<pre>")) continue;
    expect(codeBlocks.length, markdown).toBe(html.match(/<pre><code/g)?.length ?? 0);
  }
});

function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
