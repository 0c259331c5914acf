import { expect, test } from "vitest";
import { applyLineEdits, toLineEdits } from "./line-edits.ts";

test("replacements in one line are applied from left to right, without overlap", () => {
  const edits = toLineEdits(
    ["one two three"],
    [
      { line: 1, start: 8, length: 5, text: "$&" },
      { line: 1, start: 0, length: 3, text: "eins" },
      { line: 1, start: 1, length: 3, text: "lost" },
    ],
  );
  expect(edits).toEqual([{ line: 1, before: "one two three", after: "eins two $&" }]);
  expect(toLineEdits(["a"], [{ line: 1, start: 0, length: 1, text: "a" }])).toEqual([]);
});

test("line ends and a byte order mark are kept", () => {
  expect(
    applyLineEdits("\uFEFFa\r\nb\nc\rd", [
      { line: 1, before: "a", after: "A" },
      { line: 3, before: "c", after: "C" },
    ]),
  ).toBe("\uFEFFA\r\nb\nC\rd");
});

test("a moved line is found, a missing or duplicate one is not", () => {
  const edit = { line: 1, before: "b", after: "B" };
  expect(applyLineEdits("a\nb\n", [edit])).toBe("a\nB\n");
  expect(applyLineEdits("a\nb\nb\n", [edit])).toBeUndefined();
  expect(applyLineEdits("a\n", [edit])).toBeUndefined();
});
