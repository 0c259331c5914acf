import { expect, test } from "vitest";
import { parseBlocks } from "./blocks.ts";

const of = (...lines: string[]) => parseBlocks(lines, 1);

test("headings, lists, quotes, tables and code are recognized, each with its line", () => {
  expect(
    of(
      "# Use *one* ledger #",
      "",
      "Two lines",
      "of one paragraph.",
      "- a",
      "  more of a",
      "  - inner",
      "- b",
      "",
      "3. first",
      "",
      "> said",
      "> again",
      "and on",
      "",
      "| a | b |",
      "|:--|--:|",
      "| 1 |",
      "",
      "```sql title",
      "# no heading",
      "```",
      "***",
      "Underlined",
      "---",
      "",
      "    indented",
    ),
  ).toEqual([
    { kind: "heading", line: 1, depth: 1, text: "Use *one* ledger" },
    { kind: "paragraph", line: 3, text: "Two lines\nof one paragraph." },
    {
      kind: "list",
      line: 5,
      items: [
        {
          line: 5,
          blocks: [
            { kind: "paragraph", line: 5, text: "a\nmore of a" },
            {
              kind: "list",
              line: 7,
              items: [{ line: 7, blocks: [{ kind: "paragraph", line: 7, text: "inner" }] }],
            },
          ],
        },
        { line: 8, blocks: [{ kind: "paragraph", line: 8, text: "b" }] },
      ],
    },
    {
      kind: "list",
      line: 10,
      start: 3,
      items: [{ line: 10, blocks: [{ kind: "paragraph", line: 10, text: "first" }] }],
    },
    {
      kind: "quote",
      line: 12,
      blocks: [{ kind: "paragraph", line: 12, text: "said\nagain\nand on" }],
    },
    {
      kind: "table",
      line: 16,
      head: ["a", "b"],
      sides: ["left", "right"],
      rows: [{ line: 18, cells: ["1", ""] }],
    },
    { kind: "code", line: 20, firstLine: 21, text: "# no heading", language: "sql" },
    { kind: "rule", line: 23 },
    { kind: "heading", line: 24, depth: 2, text: "Underlined" },
    { kind: "code", line: 27, firstLine: 27, text: "indented", language: "" },
  ]);
});

test("task items have their state, and similar text is not a task", () => {
  expect(of("- [ ] open", "- [x] done", "- [y] neither", "- [ ]")).toMatchObject([
    {
      items: [
        { isDone: false, blocks: [{ text: "open" }] },
        { isDone: true, blocks: [{ text: "done" }] },
        { blocks: [{ text: "[y] neither" }] },
        { blocks: [{ text: "[ ]" }] },
      ],
    },
  ]);
});

test("footnotes contain their indented blocks, and definitions are not shown", () => {
  expect(of("[^a]: First", "    more", "", "    ```", "    code", "    ```", "", "Text")).toEqual([
    {
      kind: "note",
      line: 1,
      label: "a",
      blocks: [
        { kind: "paragraph", line: 1, text: "First\nmore" },
        { kind: "code", line: 4, firstLine: 5, text: "code", language: "" },
      ],
    },
    { kind: "paragraph", line: 8, text: "Text" },
  ]);
  expect(of("[a]: https://example.org 'A'", "[b]: there.md", "Words")).toEqual([
    { kind: "paragraph", line: 3, text: "Words" },
  ]);
});

test("HTML is a separate block, to its end tag or to a blank line", () => {
  expect(of("<?a", "", "b?>", "", "<div>", "*x*", "", "Text <b>y</b>")).toEqual([
    { kind: "html", line: 1, text: "<?a\n\nb?>" },
    { kind: "html", line: 5, text: "<div>\n*x*" },
    { kind: "paragraph", line: 8, text: "Text <b>y</b>" },
  ]);
});

test("a comment is not shown, the text after it is, and an unclosed comment hides nothing", () => {
  expect(
    of("<!-- a", "", "b -->", "Text", "", "<!-- c --> <!-- d -->", "", "<!-- e --> f"),
  ).toEqual([
    { kind: "paragraph", line: 4, text: "Text" },
    { kind: "html", line: 8, text: "f" },
  ]);
  expect(of("<!-- a", "b")).toEqual([{ kind: "html", line: 1, text: "<!-- a\nb" }]);
});

test("code in a list or after a tab loses its indent", () => {
  expect(of("1. a", "", "   ```js", "   x", "     y", "   ```", "\tz")).toMatchObject([
    {
      items: [
        {
          blocks: [
            { text: "a" },
            { kind: "code", line: 3, firstLine: 4, text: "x\n  y", language: "js" },
            { text: "z" },
          ],
        },
      ],
    },
  ]);
});

test("no text is lost, and parsing any text terminates", () => {
  const hostile = [
    "> ".repeat(5_000),
    "- ".repeat(5_000),
    `${"- a\n  ".repeat(200)}`,
    `${"- a\n\n".repeat(20_000)}`,
    "|".repeat(20_000),
    "```",
    "\n\n- \n\n-",
    "[^a]:\n".repeat(5_000),
    "<!--\n".repeat(5_000),
    "<!---->".repeat(20_000),
    "[a]: b\n".repeat(5_000),
  ];
  for (const text of hostile) expect(Array.isArray(parseBlocks(text.split("\n"), 1))).toBe(true);
});
