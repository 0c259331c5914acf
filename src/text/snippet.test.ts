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

test("any text and words give lines that the text has, under their true numbers", () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 900 }),
      fc.array(fc.string({ minLength: 1 })),
      (text, words) => {
        const all = linesOf(text);
        const { line, lines } = excerpt(text, new Set(words.flatMap(tokensOf)), 1);
        for (const [offset, shown] of lines.entries()) {
          expect(all[line - 1 + offset]).toContain(shown);
        }
      },
    ),
  );
});
