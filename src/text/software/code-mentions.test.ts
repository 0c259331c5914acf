import { expect, test } from "vitest";
import { growth } from "../../../tests/fixtures/growth.ts";
import { findCodeMentions } from "./code-mentions.ts";

/** `line place name`, in order. */
const mentionsIn = (...lines: string[]): string[] =>
  findCodeMentions(lines).map(({ line, place, steps }) => `${line} ${place} ${steps.join("/")}`);

test("[repository.mentions.spans] inline code mentions the names it contains or calls, but no words of a command", () => {
  expect(
    mentionsIn("Use `open`, `Lamp.light()` or `Lamp::light`, ``Lamp#`` and `$lamp->dim(level)`."),
  ).toEqual(["1 span open", "1 span Lamp/light", "1 span Lamp/light", "1 span lamp/dim"]);
  expect(
    mentionsIn("Run `npm run build`, see `src/open.ts`, `open.ts`, `--open` and `a/open`."),
  ).toEqual([]);
  expect(mentionsIn("`const x = openLamp(root, Lamp.first)`")).toEqual([
    "1 span openLamp",
    "1 span Lamp/first",
  ]);
  expect(mentionsIn("A row of ``` three and `one` two", "`` a`b ``")).toEqual(["1 span one"]);
});

test("[repository.mentions.blocks] in code blocks, only called, compound or qualified names are mentions", () => {
  const code = [
    "value = open(path)",
    "lamp.dim",
    "import { small } from './lamp'",
    "const word = 1",
  ];
  expect(mentionsIn("```ts", ...code, "```")).toEqual([
    "2 block open",
    "3 block lamp/dim",
    "4 block small",
  ]);
  expect(mentionsIn("```json", '{"open": "Lamp"}', "```")).toEqual([]);
  expect(
    mentionsIn("So:", "", "    openLamp()", "", "- item", "", "    openLamp in a list"),
  ).toEqual(["3 block openLamp"]);
});

test("[repository.mentions.headings] a heading that is a name, or contains an unambiguous one, is a mention", () => {
  expect(
    mentionsIn("# Lamp", "## How to open lamps", "### openLamp(path)", "## The open_lamp way"),
  ).toEqual(["1 heading Lamp", "3 heading openLamp", "4 heading open_lamp"]);
  expect(mentionsIn(".. autofunction:: lamp.open", "::: lamp.Keeper")).toEqual([
    "1 heading lamp/open",
    "2 heading lamp/Keeper",
  ]);
});

test("sentences, front matter and fence markers are not names", () => {
  expect(mentionsIn("---", "title: `openLamp`", "---", "Call openLamp or Lamp.light().")).toEqual(
    [],
  );
  expect(mentionsIn("```openLamp", "```")).toEqual([]);
});

test("positions are those of the line", () => {
  const [mention] = findCodeMentions(["See `Lamp.light()`."]);
  expect(mention).toMatchObject({ start: 5, starts: [5, 10], text: "Lamp.light" });
});

test("a hostile line is parsed in linear time", () => {
  const lines = ["`".repeat(20_000), "`a".repeat(10_000), "a.".repeat(10_000), "# ".repeat(10_000)];
  expect(findCodeMentions(lines).length).toBeLessThan(30_000);
});

test.each<[string, (size: number) => string]>([
  ["spaces within a heading", (size) => `# a${" ".repeat(size)}b`],
  ["signs at the end of a heading", (size) => `# a ${"#".repeat(size)}b`],
  ["code within a heading", (size) => `# ${"`a` ".repeat(size)}`],
])("four times as much takes about four times as long: %s", (_name, heading) => {
  expect(growth(1_200, (size) => findCodeMentions([heading(size)]))).toBeLessThan(10);
});
