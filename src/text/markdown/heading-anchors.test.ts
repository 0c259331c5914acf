import { expect, test } from "vitest";
import { splitLines } from "../strings/lines.ts";
import { findSectionByAnchor } from "./heading-anchors.ts";

/** The lines of the section that an anchor names. */
function section(text: string, anchor: string): string[] | undefined {
  const lines = splitLines(text);
  const found = findSectionByAnchor(lines, anchor);
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

test("an anchor is the heading's text or its web slug", () => {
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

test("a section ends at the next heading of the same or a higher level", () => {
  expect(section(text, "manual")).toHaveLength(8);
  expect(section(text, "limits")).toEqual(["## Limits", "four"]);
});

test("an anchor without a heading finds nothing", () => {
  for (const anchor of ["", "  ", "#", "---", "whale", "manual-1", "__proto__", "constructor"]) {
    expect(section(text, anchor)).toBeUndefined();
  }
});

test("equal headings are numbered, and all are reachable", () => {
  const twins = "# A\none\n# A\ntwo\n# A-1\nthree\n# A\nfour";
  expect(section(twins, "a")).toEqual(["# A", "one"]);
  expect(section(twins, "a-1")).toEqual(["# A", "two"]);
  expect(section(twins, "a-1-1")).toEqual(["# A-1", "three"]);
  expect(section(twins, "a-2")).toEqual(["# A", "four"]);
});

test("accents match in composed and decomposed form", () => {
  expect(section("# Cafe\u0301\nx", "caf\u00e9")).toEqual(["# Cafe\u0301", "x"]);
  expect(section("# Caf\u00e9\nx", "cafe\u0301")).toEqual(["# Caf\u00e9", "x"]);
});

test("headings in fences and front matter are ignored", () => {
  expect(section("---\n# Plan\n---\n```\n# Plan\n```\n# Plan\nreal", "plan")).toEqual([
    "# Plan",
    "real",
  ]);
});
