import { expect, test } from "vitest";
import { bytesByLanguage, extensionOf, primaryLanguage } from "./programming-languages.ts";

const files = (sizes: Record<string, number>) =>
  Object.entries(sizes).map(([path, size]) => ({ path, size }));

test("[repository.analysis.languages] bytes are summed by extension, largest first", () => {
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

test("[repository.analysis.languages] the primary language is a programming language, else a markup language", () => {
  expect(primaryLanguage(files({ "a.md": 100, "a.css": 50, "a.rs": 1 }))).toBe("Rust");
  expect(primaryLanguage(files({ "a.md": 100, "a.html": 1 }))).toBe("HTML");
  expect(primaryLanguage(files({ "a.md": 100, "a.sql": 9 }))).toBeNull();
  expect(primaryLanguage([])).toBeNull();
});

test("headers count for whichever of C and C++ has more files", () => {
  expect(primaryLanguage(files({ "a.h": 90, "a.cc": 20, "a.c": 10 }))).toBe("C++");
  expect(primaryLanguage(files({ "a.h": 90, "a.cc": 10, "a.c": 20 }))).toBe("C");
});

test("an extension follows the last dot of a name that has something before it", () => {
  expect(extensionOf("a.b/c.D")).toBe("d");
  expect(extensionOf("a.b/c")).toBe("");
  expect(extensionOf(".gitignore")).toBe("");
});
