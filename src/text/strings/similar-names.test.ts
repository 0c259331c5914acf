import fc from "fast-check";
import { distance } from "fastest-levenshtein";
import { expect, test } from "vitest";
import { similarNames } from "./similar-names.ts";

test("the closest names come first, and others are left out", () => {
  expect(similarNames("meetings", ["other", "meeting", "Meetings", "greetings"])).toEqual([
    "Meetings",
    "meeting",
    "greetings",
  ]);
  expect(similarNames("lamp", ["lamp", "lamp", "lump"], 2)).toEqual(["lamp", "lump"]);
  expect(similarNames("lamp", ["x", "tower"])).toEqual([]);
  expect(similarNames("", ["a", ""])).toEqual([""]);
});

/** Few letters, so that many names are equally close; `İ` is two characters in lower case. */
const anyName = fc.oneof(
  fc.string({ unit: fc.constantFrom("a", "b", "A", "á", "İ", "/"), maxLength: 12 }),
  fc.string({ unit: fc.constantFrom("a", "b", "-"), minLength: 30, maxLength: 40 }),
);

test("the names are those of an exhaustive comparison", () => {
  fc.assert(
    fc.property(anyName, fc.array(anyName, { maxLength: 30 }), (wanted, names) => {
      const target = wanted.toLowerCase();
      const sorted = [...new Set(names)]
        .map((name) => ({ name, edits: distance(target, name.toLowerCase()) }))
        .filter(({ name, edits }) => edits <= Math.max(name.length, target.length) / 2)
        .sort((a, b) => a.edits - b.edits || (a.name < b.name ? -1 : 1));

      expect(similarNames(wanted, names)).toEqual(sorted.slice(0, 3).map(({ name }) => name));
    }),
  );
});
