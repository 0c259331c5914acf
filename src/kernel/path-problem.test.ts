import { expect, test } from "vitest";
import { pathProblem } from "./path-problem.ts";

test("ordinary paths have no problem", () => {
  for (const path of ["a.md", "/a/b.md", "./a", "../a", "~/x", "a b/c.md", "ümläut/文.md", "-"]) {
    expect(pathProblem(path, "linux")).toBeUndefined();
  }
  for (const path of [
    "a.md",
    "C:\\a\\b.md",
    "c:/a/b",
    "..\\a",
    "\\\\server\\share\\a.md",
    "CONTENT.md",
  ]) {
    expect(pathProblem(path, "win32")).toBeUndefined();
  }
});

test("what no system opens is refused everywhere", () => {
  for (const platform of ["linux", "darwin", "win32"] as const) {
    expect(pathProblem("", platform)).toContain("empty");
    expect(pathProblem("a\0b", platform)).toContain("NUL");
    expect(pathProblem("ü".repeat(2_100), platform)).toContain("longer");
  }
});

test("what Windows reads in two ways is refused there and only there", () => {
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
    expect([path, pathProblem(path, "win32")]).toEqual([path, expect.any(String)]);
    expect(pathProblem(path, "linux")).toBeUndefined();
  }
});
