import { expect, test } from "vitest";
import { sectionAt } from "./anchors.ts";
import { linesOf } from "./lines.ts";

/** The lines of the section that an anchor names. */
function section(text: string, anchor: string): string[] | undefined {
  const lines = linesOf(text);
  const found = sectionAt(lines, anchor);
  return found && lines.slice(found.line - 1, found.line - 1 + found.count);
}

const text = `intro
# Manual
one
## Fault tolerance
two
### Deeper: \`retry()\`
three
## Limits
four
# Über Größe_2
five`;

test("an anchor is the words of a heading, or what web pages make of them", () => {
  const wanted = ["## Fault tolerance", "two", "### Deeper: `retry()`", "three"];
  for (const anchor of [
    "Fault tolerance",
    "fault-tolerance",
    "FAULT-TOLERANCE",
    " fault tolerance ",
  ]) {
    expect(section(text, anchor)).toEqual(wanted);
  }
  expect(section(text, "deeper-retry")).toEqual(["### Deeper: `retry()`", "three"]);
  expect(section(text, "über-größe_2")).toEqual(["# Über Größe_2", "five"]);
});

test("a section ends where a heading comes that is not below it", () => {
  expect(section(text, "manual")).toHaveLength(8);
  expect(section(text, "limits")).toEqual(["## Limits", "four"]);
});

test("an anchor that no heading has names nothing", () => {
  for (const anchor of ["", "  ", "#", "---", "whale", "manual-1", "__proto__", "constructor"]) {
    expect(section(text, anchor)).toBeUndefined();
  }
});

test("equal headings are numbered, and none is out of reach", () => {
  const twins = "# A\none\n# A\ntwo\n# A-1\nthree\n# A\nfour";
  expect(section(twins, "a")).toEqual(["# A", "one"]);
  expect(section(twins, "a-1")).toEqual(["# A", "two"]);
  expect(section(twins, "a-1-1")).toEqual(["# A-1", "three"]);
  expect(section(twins, "a-2")).toEqual(["# A", "four"]);
});

test("an accent is the same in one letter and in two", () => {
  expect(section("# Cafe\u0301\nx", "caf\u00e9")).toEqual(["# Cafe\u0301", "x"]);
  expect(section("# Caf\u00e9\nx", "cafe\u0301")).toEqual(["# Caf\u00e9", "x"]);
});

test("what looks like a heading in a fence or in front matter is none", () => {
  expect(section("---\n# Plan\n---\n```\n# Plan\n```\n# Plan\nreal", "plan")).toEqual([
    "# Plan",
    "real",
  ]);
});
