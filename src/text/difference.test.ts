import { expect, test } from "vitest";
import { difference } from "./difference.ts";

const counted = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`);

const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

test("a change is shown with the lines around it", () => {
  const before = counted(1, 12);
  const after = before.map((line) => (line === "line 6" ? "six" : line));

  expect(difference("a.md", textOf(before), textOf(after))).toBe(
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

test("changes far apart are parts of their own", () => {
  const before = counted(1, 40);
  const after = ["new", ...before.slice(0, 30), ...before.slice(31)];
  const shown = difference("a.md", textOf(before), textOf(after)).split("\n");

  expect(shown.filter((line) => line.startsWith("@@"))).toEqual([
    "@@ -1,3 +1,4 @@",
    "@@ -28,7 +29,6 @@",
  ]);
  expect(shown.filter((line) => /^[-+][^-+]/.test(line))).toEqual(["+new", "-line 31"]);
});

test("a file that is new or goes is shown whole", () => {
  expect(difference("a.md", undefined, "one\ntwo\n")).toBe(
    "--- /dev/null\n+++ b/a.md\n@@ -0,0 +1,2 @@\n+one\n+two",
  );
  expect(difference("a.md", "one\n", undefined)).toBe(
    "--- a/a.md\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-one",
  );
});

test("texts with nothing in common are shown one after the other", () => {
  const shown = difference("a.md", textOf(counted(1, 2_000)), textOf(counted(3_001, 5_000)));

  expect(shown.split("\n").filter((line) => line.startsWith("+line"))).toHaveLength(2_000);
});
