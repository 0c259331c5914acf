import { expect, test } from "vitest";
import { bytesByLanguage, endingOf, primaryLanguage } from "./languages.ts";

const files = (sizes: Record<string, number>) =>
  Object.entries(sizes).map(([path, size]) => ({ path, size }));

test("[repository.analysis.languages] bytes are added up by ending, the largest first", () => {
  const found = files({
    "a.ts": 5,
    "b.TSX": 6,
    "docs/c.md": 20,
    "d.json": 99,
    Makefile: 9,
    "e.svg": 1,
  });

  expect(Object.entries(bytesByLanguage(found))).toEqual([
    ["Markdown", 20],
    ["TypeScript", 11],
  ]);
});

test("[repository.analysis.languages] the primary language is one of programs, else of pages", () => {
  expect(primaryLanguage(files({ "a.md": 100, "a.css": 50, "a.rs": 1 }))).toBe("Rust");
  expect(primaryLanguage(files({ "a.md": 100, "a.html": 1 }))).toBe("HTML");
  expect(primaryLanguage(files({ "a.md": 100, "a.sql": 9 }))).toBeNull();
  expect(primaryLanguage([])).toBeNull();
});

test("headers go with whichever of C and C++ there is more of", () => {
  expect(primaryLanguage(files({ "a.h": 90, "a.cc": 20, "a.c": 10 }))).toBe("C++");
  expect(primaryLanguage(files({ "a.h": 90, "a.cc": 10, "a.c": 20 }))).toBe("C");
});

test("an ending is what follows the last dot of a name that has something before it", () => {
  expect(endingOf("a.b/c.D")).toBe("d");
  expect(endingOf("a.b/c")).toBe("");
  expect(endingOf(".gitignore")).toBe("");
});
