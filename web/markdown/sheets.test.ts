import { expect, test } from "vitest";
import { blocksOn, paperFrom } from "./sheets.ts";

const many = (count: number, lineOf: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => lineOf(at));
const blocks = (lines: readonly string[]) => paperFrom(lines).sheets.flatMap(blocksOn);

test("a long text is cut between its blocks, and nothing is lost", () => {
  const lines = many(3_000, (at) => (at % 3 === 2 ? "" : `Line ${at + 1}`));
  const { sheets } = paperFrom(lines);

  expect(sheets.length).toBeGreaterThan(20);
  expect(sheets.flatMap((sheet) => sheet.lines)).toEqual(lines);
  for (const { line, lines: own } of sheets) expect(own[0]).toBe(`Line ${line}`);
});

test("code and tables that go on have their mark and their head again", () => {
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

test("a list is cut between items, and its numbers go on", () => {
  const list = blocks(many(1_000, (at) => `${at + 1}. item`));

  expect(list.map((one) => one.kind === "list" && one.start)).toEqual([1, 401, 801]);
});

test("front matter, definitions and notes are known to the whole", () => {
  const { matter, definitions, notes, sheets } = paperFrom([
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
  expect(sheets[0]?.line).toBe(8);
});

test("no text is cut for ever, however it is made", () => {
  for (const text of [
    "```\n".repeat(5_001),
    "<!--\n\n".repeat(5_000),
    "\n".repeat(50_000),
    "| a |\n|-|\n".repeat(2_000),
  ]) {
    const lines = text.split("\n");
    expect(paperFrom(lines).sheets.flatMap((sheet) => sheet.lines)).toEqual(lines);
  }
});
