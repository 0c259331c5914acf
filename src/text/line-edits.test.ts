import { expect, test } from "vitest";
import { lineEditsOf, withLinesEdited } from "./line-edits.ts";

test("replacements of one line are put in place from left to right, and none over another", () => {
  const edits = lineEditsOf(
    ["one two three"],
    [
      { line: 1, start: 8, length: 5, text: "$&" },
      { line: 1, start: 0, length: 3, text: "eins" },
      { line: 1, start: 1, length: 3, text: "lost" },
    ],
  );
  expect(edits).toEqual([{ line: 1, before: "one two three", after: "eins two $&" }]);
  expect(lineEditsOf(["a"], [{ line: 1, start: 0, length: 1, text: "a" }])).toEqual([]);
});

test("every line end stays, and so does a mark at the beginning", () => {
  expect(
    withLinesEdited("\uFEFFa\r\nb\nc\rd", [
      { line: 1, before: "a", after: "A" },
      { line: 3, before: "c", after: "C" },
    ]),
  ).toBe("\uFEFFA\r\nb\nC\rd");
});

test("a line that moved is found, one that is gone or there twice is not", () => {
  const edit = { line: 1, before: "b", after: "B" };
  expect(withLinesEdited("a\nb\n", [edit])).toBe("a\nB\n");
  expect(withLinesEdited("a\nb\nb\n", [edit])).toBeUndefined();
  expect(withLinesEdited("a\n", [edit])).toBeUndefined();
});
