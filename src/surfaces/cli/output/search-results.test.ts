import { PassThrough } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod";
import { operationsFor } from "../../../kernel/operation.ts";
import { resultTableOf } from "./result-table.ts";
import { formatSearchResults } from "./search-results.ts";
import { openTextOutput } from "./text-output.ts";
import { displayWidth, lineRanges, truncateToWidth } from "./text-width.ts";

const search = operationsFor<object>()({
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
  { query = "", columns = 60, colour = false, beside = {}, link = "" } = {},
): Promise<string> {
  const stream = Object.assign(new PassThrough(), { isTTY: true, columns });
  const screen = await openTextOutput(stream, {}, colour);
  const row = { docid: "#3fa2c1", score: 0.85, file: "notes/tea.md", title: "Tea", ...hit };
  return formatSearchResults(
    resultTableOf(search),
    { results: [row], ...beside },
    { query },
    { out: screen, linkOf: (file, line) => (link ? `${link}/${file}#${line}` : undefined) },
  );
}

test("[core.cli.links] on a coloured terminal the location of a hit is a link into its file", async () => {
  const link = "file:///home";
  const page = await shown({ line: 7 }, { link, colour: true });

  expect(page).toContain("\u001b]8;;file:///home/notes/tea.md#7\u001b\\");
  expect(page).toContain("\u001b]8;;\u001b\\");
  expect(await shown({ line: 7 }, { link })).not.toContain("\u001b");
});

test("[core.cli.hits] a hit has its title, score, location, context and passage", async () => {
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

test("[core.cli.hits] the location of a hit has the line of its match, which is not repeated", async () => {
  const page = await shown({ line: 7, matchLine: 9, snippet: "9: Pour it first." });

  expect(page).toContain("notes/tea.md:9  #3fa2c1\n   9  Pour it first.\n");
  expect(page).not.toContain("matchLine");
});

test("[search.cli.terminal] the words that a misspelled word was corrected to are highlighted", async () => {
  const page = await shown(
    { snippet: "9: Pour it first.", corrected: [{ word: "porr", read: ["pour"] }] },
    { query: "porr", colour: true },
  );

  expect(marksIn(page)).toEqual(["Pour"]);
  expect(page).not.toContain("corrected");
});

/** The text in bold yellow. */
const marksIn = (page: string): string[] =>
  page
    .split("\u001b[1m\u001b[33m")
    .slice(1)
    .map((behind) => behind.split("\u001b")[0] ?? "");

test("[core.cli.hits] in narrow terminals the innermost heading is kept", async () => {
  const headings = ["Tea", "A chapter with a long name", "With milk"];
  const [head] = (await shown({ headings }, { columns: 40 })).split("\n");
  expect(head).toBe("Tea › … › With milk                 85 %");
});

test("[core.cli.hits] matched words are highlighted, in any form", async () => {
  const page = await shown(
    { snippet: "1: Borrowing copies, 東京都の本" },
    { query: 'borrow "copy" 京都 -copies', colour: true },
  );
  expect(marksIn(page)).toEqual(["Borrowing", "copies", "京都"]);
});

test("[core.cli.hits] a highlight split by a line break continues on the next line", async () => {
  const page = await shown(
    { snippet: `1: ${"x".repeat(70)}` },
    { query: "x".repeat(70), columns: 40, colour: true },
  );
  expect(marksIn(page).map((mark) => mark.length)).toEqual([34, 34, 2]);
});

test("[core.cli.hits] on request the whole text replaces the snippet", async () => {
  const page = await shown({ snippet: "2: b", body: "a\n7: b\n" });
  expect(page.split("\n").slice(2)).toEqual(["   1  a", "   2  7: b", "   3  ", ""]);
});

test("[core.cli.hits] no part of the answer is lost", async () => {
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

test("[core.cli.hits] a title or passage cannot send terminal control sequences", async () => {
  const page = await shown({ title: "a\u001b[2Jb", snippet: "1: \u001b]0;owned\u0007" });
  expect(page).not.toContain("\u001b");
});

test("[core.cli.hits] no line is wider than the terminal", async () => {
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
          if (at !== 1) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
        }
      },
    ),
  );
});

test("wrapping loses no character and keeps the indent", () => {
  const pieces = (text: string, width: number) =>
    lineRanges(text, width).map(({ start, end }) => text.slice(start, end));
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

test("truncated text fits and is marked", () => {
  expect(truncateToWidth("short", 10)).toBe("short");
  expect(truncateToWidth("a longer title", 9)).toBe("a longer…");
  expect(truncateToWidth("東京都の本", 5)).toBe("東京…");
});
