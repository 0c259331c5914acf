import { expect, test } from "vitest";
import { parsed } from "./blocks.ts";

test("front matter, headings, lists, quotes, tables and code are told apart", () => {
  const text = [
    "---",
    "status: accepted",
    "---",
    "# Use *one* ledger #",
    "",
    "Two lines",
    "of one paragraph.",
    "- a",
    "  more of a",
    "  - inner",
    "- b",
    "",
    "1. first",
    "",
    "> said",
    "> again",
    "",
    "| a | b |",
    "|---|---|",
    "| 1 |",
    "",
    "```sql",
    "# no heading",
    "```",
    "***",
    "Underlined",
    "---",
  ].join("\n");
  expect(parsed(text)).toEqual({
    matter: "status: accepted",
    blocks: [
      { kind: "heading", depth: 1, text: "Use *one* ledger" },
      { kind: "paragraph", text: "Two lines\nof one paragraph." },
      {
        kind: "list",
        isOrdered: false,
        items: [
          [
            { kind: "paragraph", text: "a\nmore of a" },
            { kind: "list", isOrdered: false, items: [[{ kind: "paragraph", text: "inner" }]] },
          ],
          [{ kind: "paragraph", text: "b" }],
        ],
      },
      { kind: "list", isOrdered: true, items: [[{ kind: "paragraph", text: "first" }]] },
      { kind: "quote", blocks: [{ kind: "paragraph", text: "said\nagain" }] },
      { kind: "table", head: ["a", "b"], rows: [["1", ""]] },
      { kind: "code", text: "# no heading" },
      { kind: "rule" },
      { kind: "heading", depth: 2, text: "Underlined" },
    ],
  });
});

test("no text is lost or read for ever, however it is made", () => {
  const hostile = [
    "> ".repeat(5_000),
    "- ".repeat(5_000),
    `${"- a\n  ".repeat(200)}`,
    "|".repeat(20_000),
    "```",
    "\n\n- \n\n-",
  ];
  for (const text of hostile) expect(Array.isArray(parsed(text).blocks)).toBe(true);
});
