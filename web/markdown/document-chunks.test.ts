import { expect, test } from "vitest";
import { parseChunk, splitDocument } from "./document-chunks.ts";

const many = (count: number, lineOf: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => lineOf(at));
const blocks = (lines: readonly string[]) => splitDocument(lines).chunks.flatMap(parseChunk);

test("a long text is cut between blocks, and nothing is lost", () => {
  const lines = many(3_000, (at) => (at % 3 === 2 ? "" : `Line ${at + 1}`));
  const { chunks } = splitDocument(lines);

  expect(chunks.length).toBeGreaterThan(20);
  expect(chunks.flatMap((sheet) => sheet.lines)).toEqual(lines);
  for (const { line, lines: own } of chunks) expect(own[0]).toBe(`Line ${line}`);
});

test("code and tables that continue in a chunk get their fence or head again", () => {
  const code = blocks(["```js", ...many(1_000, (at) => `# ${at}`), "```", "After"]);
  expect(code.map(({ kind }) => kind)).toEqual(["code", "code", "code", "paragraph"]);
  expect(code.flatMap((one) => (one.kind === "code" ? one.text.split("\n") : []))).toHaveLength(
    1_000,
  );
  expect(code.at(-1)).toMatchObject({ line: 1_003, text: "After" });

  const table = blocks([
    "| a | b |",
    "|---|---|",
    ...many(900, (at) => `| ${at} | x |`),
    "",
    "After",
  ]);
  expect(table.map(({ kind }) => kind)).toEqual(["table", "table", "table", "paragraph"]);
  expect(
    table.flatMap((one) => (one.kind === "table" ? one.rows : [])).map(({ line }) => line),
  ).toEqual(Array.from({ length: 900 }, (_, at) => at + 3));
});

test("a list is cut between items, and its numbers continue", () => {
  const list = blocks(many(1_000, (at) => `${at + 1}. item`));

  expect(list.map((one) => one.kind === "list" && one.start)).toEqual([1, 401, 801]);
});

test("front matter, definitions and footnotes are collected for the whole document", () => {
  const { matter, definitions, notes, chunks } = splitDocument([
    "---",
    "title: 'A b'",
    "tags: [x, y]",
    "authors:",
    "  - Ann",
    "  - Bo",
    "---",
    "See [lamp] and [^n].",
    "",
    "[lamp]: lamp.md",
    "[^n]: Note",
    "```",
    "[no]: code.md",
    "```",
  ]);

  expect(matter).toEqual([
    { key: "title", value: "A b" },
    { key: "tags", value: "x, y" },
    { key: "authors", value: "Ann\nBo" },
  ]);
  expect([...definitions.keys()]).toEqual(["LAMP"]);
  expect(notes.get("n")).toEqual({ number: 1, line: 11 });
  expect(chunks[0]?.line).toBe(8);
});

test("cutting any text terminates", () => {
  for (const text of [
    "```\n".repeat(5_001),
    "<!--\n\n".repeat(5_000),
    "\n".repeat(50_000),
    "| a |\n|-|\n".repeat(2_000),
  ]) {
    const lines = text.split("\n");
    expect(splitDocument(lines).chunks.flatMap((sheet) => sheet.lines)).toEqual(lines);
  }
});
