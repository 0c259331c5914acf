import { PassThrough } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod";
import { operationsOn } from "../../kernel/operation.ts";
import { hitPage } from "./hit-page.ts";
import { openScreen } from "./screen.ts";
import { tableOf } from "./table.ts";
import { brokenAt, cutTo, widthOf } from "./text-width.ts";

const search = operationsOn<object>()({
  name: "search",
  title: "Search",
  summary: "Search.",
  input: z.object({ query: z.string() }),
  output: z.object({
    results: z.array(
      z.looseObject({
        docid: z.string(),
        score: z.number(),
        file: z.string(),
        title: z.string(),
      }),
    ),
  }),
  effect: "reads",
  expose: {},
  example: { query: "x" },
  run: () => ({ results: [] }),
});

async function shown(
  hit: Record<string, unknown>,
  { query = "", columns = 60, colour = false, beside = {} } = {},
): Promise<string> {
  const stream = Object.assign(new PassThrough(), { isTTY: true, columns });
  const screen = await openScreen(stream, {}, colour);
  const row = { docid: "#3fa2c1", score: 0.85, file: "notes/tea.md", title: "Tea", ...hit };
  return hitPage(tableOf(search), { results: [row], ...beside }, { query }, screen);
}

test("[house.cli.hits] a hit has its title, score, place, context and passage", async () => {
  const page = await shown({
    line: 7,
    headings: ["Tea", "With milk"],
    context: "What we drink",
    snippet: "7: ## With milk\n8: \n9: Pour it first.",
  });
  expect(page).toBe(
    [
      "Tea › With milk                                         85 %",
      "notes/tea.md:7  #3fa2c1",
      "What we drink",
      "   7  ## With milk",
      "   8  ",
      "   9  Pour it first.",
      "",
    ].join("\n"),
  );
});

/** What stands in bold yellow. */
const marksIn = (page: string): string[] =>
  page
    .split("\u001b[1m\u001b[33m")
    .slice(1)
    .map((behind) => behind.split("\u001b")[0] ?? "");

test("[house.cli.hits] where room is short, the innermost heading is what stays", async () => {
  const headings = ["Tea", "A chapter with a long name", "With milk"];
  const [head] = (await shown({ headings }, { columns: 40 })).split("\n");
  expect(head).toBe("Tea › … › With milk                 85 %");
});

test("[house.cli.hits] the words that were looked for are marked, in any of their forms", async () => {
  const page = await shown(
    { snippet: "1: Borrowing copies, 東京都の本" },
    { query: 'borrow "copy" 京都 -copies', colour: true },
  );
  expect(marksIn(page)).toEqual(["Borrowing", "copies", "京都"]);
});

test("[house.cli.hits] a mark that a line break parts goes on in the next line", async () => {
  const page = await shown(
    { snippet: `1: ${"x".repeat(70)}` },
    { query: "x".repeat(70), columns: 40, colour: true },
  );
  expect(marksIn(page).map((mark) => mark.length)).toEqual([34, 34, 2]);
});

test("[house.cli.hits] the whole text stands for the snippet where it was asked for", async () => {
  const page = await shown({ snippet: "2: b", body: "a\n7: b\n" });
  expect(page.split("\n").slice(2)).toEqual(["   1  a", "   2  7: b", "   3  ", ""]);
});

test("[house.cli.hits] nothing that the answer tells is lost", async () => {
  const page = await shown(
    {
      snippet: "1: a",
      explain: [{ word: "a", found: { title: 1, body: 2 } }],
      headings: undefined,
    },
    { beside: { note: "No vectors yet." } },
  );
  expect(page).toContain("explain: word a, found (title 1, body 2)\n");
  expect(page).toContain("note: No vectors yet.\n");
});

test("[house.cli.hits] a title or a passage cannot command the terminal", async () => {
  const page = await shown({ title: "a\u001b[2Jb", snippet: "1: \u001b]0;owned\u0007" });
  expect(page).not.toContain("\u001b");
});

test("[house.cli.hits] no line is wider than the terminal", async () => {
  const letters = fc.constantFrom("a", "b", " ", "東", "é", "e\u0301", "🐎", "\t", "\n", "longer ");
  const words = fc.array(letters, { maxLength: 200 }).map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(
      words,
      words,
      fc.integer({ min: 40, max: 100 }),
      async (title, text, columns) => {
        const page = await shown(
          { title, snippet: `12: ${text}`, headings: [title, text] },
          { columns },
        );
        for (const [at, line] of page.split("\n").entries()) {
          if (at !== 1) expect(widthOf(line)).toBeLessThanOrEqual(columns);
        }
      },
    ),
  );
});

test("breaking loses no letter and keeps an indent", () => {
  const pieces = (text: string, width: number) =>
    brokenAt(text, width).map(({ start, end }) => text.slice(start, end));
  expect(pieces("one two three", 8)).toEqual(["one two", "three"]);
  expect(pieces("    deep word here", 9)).toEqual(["    deep", "word here"]);
  expect(pieces("    unbreakable", 8)).toEqual(["    unbr", "eakable"]);
  expect(pieces("東京都の本", 4)).toEqual(["東京", "都の", "本"]);
  expect(pieces("", 4)).toEqual([""]);
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 1, max: 30 }), (text, width) => {
      expect(pieces(text, width).join("").replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
    }),
  );
});

test("what is cut fits and says so", () => {
  expect(cutTo("short", 10)).toBe("short");
  expect(cutTo("a longer title", 9)).toBe("a longer…");
  expect(cutTo("東京都の本", 5)).toBe("東京…");
});
