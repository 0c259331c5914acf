import { expect, test } from "vitest";
import { unifiedDiff } from "./diff.ts";

const counted = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`);

const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

test("a change is shown with context lines", () => {
  const before = counted(1, 12);
  const after = before.map((line) => (line === "line 6" ? "six" : line));

  expect(unifiedDiff("a.md", textOf(before), textOf(after))).toBe(
    [
      "--- a/a.md",
      "+++ b/a.md",
      "@@ -3,7 +3,7 @@",
      ...counted(3, 5).map((line) => ` ${line}`),
      "-line 6",
      "+six",
      ...counted(7, 9).map((line) => ` ${line}`),
    ].join("\n"),
  );
});

test("distant changes are separate hunks", () => {
  const before = counted(1, 40);
  const after = ["new", ...before.slice(0, 30), ...before.slice(31)];
  const shown = unifiedDiff("a.md", textOf(before), textOf(after)).split("\n");

  expect(shown.filter((line) => line.startsWith("@@"))).toEqual([
    "@@ -1,3 +1,4 @@",
    "@@ -28,7 +29,6 @@",
  ]);
  expect(shown.filter((line) => /^[-+][^-+]/.test(line))).toEqual(["+new", "-line 31"]);
});

test("a new or deleted file is shown completely", () => {
  expect(unifiedDiff("a.md", undefined, "one\ntwo\n")).toBe(
    "--- /dev/null\n+++ b/a.md\n@@ -0,0 +1,2 @@\n+one\n+two",
  );
  expect(unifiedDiff("a.md", "one\n", undefined)).toBe(
    "--- a/a.md\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-one",
  );
});

test("texts with nothing in common are shown one after the other", () => {
  const shown = unifiedDiff("a.md", textOf(counted(1, 2_000)), textOf(counted(3_001, 5_000)));

  expect(shown.split("\n").filter((line) => line.startsWith("+line"))).toHaveLength(2_000);
});

test("blank lines at the end of a hunk are shown", () => {
  expect(unifiedDiff("a.md", "one\n\n\n", "two\n\n\n")).toBe(
    "--- a/a.md\n+++ b/a.md\n@@ -1,3 +1,3 @@\n-one\n+two\n \n ",
  );
});

test("a change of line ends alone is not a change", () => {
  expect(unifiedDiff("a.md", "one\r\ntwo\r\n", "one\ntwo\n")).toBe("--- a/a.md\n+++ b/a.md");
});
