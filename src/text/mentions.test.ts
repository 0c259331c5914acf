import { expect, test } from "vitest";
import { growth } from "../../tests/fixtures/growth.ts";
import { mentionsIn } from "./mentions.ts";

/** `line place name`, in their order. */
const told = (...lines: string[]): string[] =>
  mentionsIn(lines).map(({ line, place, steps }) => `${line} ${place} ${steps.join("/")}`);

test("[repository.mentions.spans] code within a line names what it is or calls, and no words of a command", () => {
  expect(
    told("Use `open`, `Lamp.light()` or `Lamp::light`, ``Lamp#`` and `$lamp->dim(level)`."),
  ).toEqual(["1 span open", "1 span Lamp/light", "1 span Lamp/light", "1 span lamp/dim"]);
  expect(told("Run `npm run build`, see `src/open.ts`, `open.ts`, `--open` and `a/open`.")).toEqual(
    [],
  );
  expect(told("`const x = openLamp(root, Lamp.first)`")).toEqual([
    "1 span openLamp",
    "1 span Lamp/first",
  ]);
  expect(told("A row of ``` three and `one` two", "`` a`b ``")).toEqual(["1 span one"]);
});

test("[repository.mentions.blocks] in stretches of code, names are called, compound or qualified", () => {
  const code = [
    "value = open(path)",
    "lamp.dim",
    "import { small } from './lamp'",
    "const word = 1",
  ];
  expect(told("```ts", ...code, "```")).toEqual([
    "2 block open",
    "3 block lamp/dim",
    "4 block small",
  ]);
  expect(told("```json", '{"open": "Lamp"}', "```")).toEqual([]);
  expect(told("So:", "", "    openLamp()", "", "- item", "", "    openLamp in a list")).toEqual([
    "3 block openLamp",
  ]);
});

test("[repository.mentions.headings] a heading that is a name, or holds one that no sentence has, speaks of it", () => {
  expect(
    told("# Lamp", "## How to open lamps", "### openLamp(path)", "## The open_lamp way"),
  ).toEqual(["1 heading Lamp", "3 heading openLamp", "4 heading open_lamp"]);
  expect(told(".. autofunction:: lamp.open", "::: lamp.Keeper")).toEqual([
    "1 heading lamp/open",
    "2 heading lamp/Keeper",
  ]);
});

test("what stands in sentences, front matter and fences' borders is no name", () => {
  expect(told("---", "title: `openLamp`", "---", "Call openLamp or Lamp.light().")).toEqual([]);
  expect(told("```openLamp", "```")).toEqual([]);
});

test("places are those of the line", () => {
  const [mention] = mentionsIn(["See `Lamp.light()`."]);
  expect(mention).toMatchObject({ start: 5, starts: [5, 10], text: "Lamp.light" });
});

test("a hostile line takes no longer than its length allows", () => {
  const lines = ["`".repeat(20_000), "`a".repeat(10_000), "a.".repeat(10_000), "# ".repeat(10_000)];
  expect(mentionsIn(lines).length).toBeLessThan(30_000);
});

test.each<[string, (size: number) => string]>([
  ["spaces within a heading", (size) => `# a${" ".repeat(size)}b`],
  ["signs at the end of a heading", (size) => `# a ${"#".repeat(size)}b`],
  ["code within a heading", (size) => `# ${"`a` ".repeat(size)}`],
])("four times as much takes about four times as long: %s", (_name, heading) => {
  expect(growth(1_200, (size) => mentionsIn([heading(size)]))).toBeLessThan(10);
});
