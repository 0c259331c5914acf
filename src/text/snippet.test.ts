import fc from "fast-check";
import { expect, test } from "vitest";
import { linesOf, numbered } from "./lines.ts";
import { excerpt } from "./snippet.ts";
import { tokensOf } from "./tokens.ts";

test("[search.snippet.lines] a snippet carries the numbers of the file's own lines", () => {
  const { line, lines } = excerpt("one\ntwo\nthe wanted word\nfour", new Set(["want"]), 41);

  expect(numbered(lines, line)).toBe("42: two\n43: the wanted word\n44: four");
});

test("[search.snippet.length] a snippet has at most 300 characters of text", () => {
  const long = Array.from({ length: 50 }, (_, index) => `line ${index} with some words`).join("\n");
  const { lines } = excerpt(long, new Set(["30"]), 1);

  expect(lines.join("\n").length).toBeLessThanOrEqual(300);
  expect(lines.some((line) => line.includes("line 30"))).toBe(true);
});

test("a long line is shown around its word, and never with half a letter", () => {
  const line = `${"😀".repeat(400)}needle${"😀".repeat(400)}`;
  const { lines } = excerpt(line, new Set(["needl"]), 1);

  expect(lines[0]).toContain("needle");
  expect(lines[0]?.isWellFormed()).toBe(true);
});

test("[search.snippet.length] the line before the best one never makes a snippet longer", () => {
  for (const before of [150, 218, 219, 220, 260, 299, 300, 301]) {
    const text = `${"p".repeat(before)}\n${"x ".repeat(300)}needle ${"y ".repeat(300)}`;
    const { line, lines } = excerpt(text, new Set(["needl"]), 1);

    expect(lines.join("\n").length).toBeLessThanOrEqual(300);
    expect(lines.join("\n")).toContain("needle");
    expect(text.split("\n")[line - 1]).toContain(lines[0]);
  }
});

test("a snippet is chosen by how many of the words a line has, not by how often", () => {
  const { line } = excerpt(
    "lamp lamp lamp lamp\n\nthe lamp of the tower",
    new Set(["lamp", "tower"]),
    1,
  );

  expect(line).toBe(3);
});

test("a text in which nothing is found is shown from its beginning", () => {
  expect(excerpt("first\nsecond", new Set(["whale"]), 7)).toEqual({
    line: 7,
    lines: ["first", "second"],
  });
  expect(excerpt("", new Set(), 1)).toEqual({ line: 1, lines: [""] });
});

test("any text and words give lines that the text has, under their true numbers", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ maxLength: 400 }), { maxLength: 5 }).map((lines) => lines.join("\n")),
      fc.array(fc.string({ minLength: 1 })),
      (text, words) => {
        const all = linesOf(text);
        const { line, lines } = excerpt(text, new Set(words.flatMap(tokensOf)), 1);
        expect(lines.join("\n").length).toBeLessThanOrEqual(300);
        for (const [offset, shown] of lines.entries()) {
          expect(all[line - 1 + offset]).toContain(shown);
        }
      },
    ),
  );
});
