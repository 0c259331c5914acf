import { expect, test } from "vitest";
import { findPathProblem } from "./path-syntax.ts";

test("ordinary paths are valid", () => {
  for (const path of ["a.md", "/a/b.md", "./a", "../a", "~/x", "a b/c.md", "ümläut/文.md", "-"]) {
    expect(findPathProblem(path, "linux")).toBeUndefined();
  }
  for (const path of [
    "a.md",
    "C:\\a\\b.md",
    "c:/a/b",
    "..\\a",
    "\\\\server\\share\\a.md",
    "CONTENT.md",
  ]) {
    expect(findPathProblem(path, "win32")).toBeUndefined();
  }
});

test("paths invalid on every system are refused everywhere", () => {
  for (const platform of ["linux", "darwin", "win32"] as const) {
    expect(findPathProblem("", platform)).toContain("empty");
    expect(findPathProblem("a\0b", platform)).toContain("NUL");
    expect(findPathProblem("ü".repeat(2_100), platform)).toContain("longer");
  }
});

test("paths ambiguous on Windows are refused there and only there", () => {
  const twofold = [
    "\\\\?\\C:\\a",
    "\\\\.\\pipe\\x",
    "//./nul",
    "a.md:stream",
    "a.md::$DATA",
    "C:\\x\\D:y",
    "secret.md.",
    "folder \\a.md",
    "CON",
    "a/nul.md",
    "COM1.txt",
  ];
  for (const path of twofold) {
    expect([path, findPathProblem(path, "win32")]).toEqual([path, expect.any(String)]);
    expect(findPathProblem(path, "linux")).toBeUndefined();
  }
});
