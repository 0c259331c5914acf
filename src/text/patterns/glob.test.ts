import fc from "fast-check";
import picomatch from "picomatch";
import { expect, test } from "vitest";
import { cpuMs } from "../../../tests/fixtures/cpu-time.ts";
import { folderMatcher, globMatcher, matchesTopFolderOnly } from "./glob.ts";

const check = (pattern: string, yes: string[], no: string[]) => {
  const fits = globMatcher(pattern);
  expect([...yes, ...no].filter((path) => fits(path))).toEqual(yes);
};

test("a star matches within a name, two stars cross folders", () => {
  check("*.md", ["a.md"], ["a/b.md", "a.mdx"]);
  check("**/*.md", ["a.md", "a/b/c.md"], ["a.txt"]);
  check("docs/**", ["docs/a", "docs/a/b"], ["other/a"]);
  check("a/**/z.md", ["a/z.md", "a/b/c/z.md"], ["z.md", "b/a/z.md"]);
});

test("braces, commas, letters and character classes", () => {
  check("{a,b}/*.{md,txt}, c.md", ["a/x.md", "b/x.txt", "c.md"], ["c/x.md", "a/x.rst"]);
  check("{a,{b,c}d}.md", ["a.md", "bd.md", "cd.md"], ["b.md"]);
  check("20[0-2]?-*.md", ["2025-a.md", "201x-.md"], ["2035-a.md"]);
  check("[!a]*.md", ["b.md"], ["a.md"]);
  check("./a.md", ["a.md"], []);
});

test("[core.globs.linear] hostile patterns are matched in linear time", () => {
  const name = `${"x".repeat(250)}.md`;
  const started = cpuMs();
  for (const pattern of [
    `${"*x".repeat(60)}z`,
    `${"**/".repeat(60)}z`,
    `${"{x,xx}".repeat(9)}z`,
    "*".repeat(1_000),
  ]) {
    globMatcher(pattern)(Array(40).fill(name).join("/"));
  }
  expect(cpuMs() - started).toBeLessThan(5_000);
});

test("a pattern with too many alternatives is rejected", () => {
  expect(() => globMatcher("{a,b}".repeat(12))).toThrow("1000 alternatives");
});

test("it agrees with a reference matcher on ordinary patterns", () => {
  const piece = fc.constantFrom("a", "b", "ab", "*", "a*", "*b", "?", "**");
  // Matchers differ in whether trailing `**` matches nothing.
  const pattern = fc
    .array(piece, { minLength: 1, maxLength: 4 })
    .filter((parts) => parts.at(-1) !== "**")
    .map((parts) => parts.join("/"));
  const path = fc
    .array(fc.constantFrom("a", "b", "ab", "abb"), { minLength: 1, maxLength: 5 })
    .map((parts) => parts.join("/"));
  fc.assert(
    fc.property(pattern, path, (glob, name) => {
      expect([glob, name, globMatcher(glob)(name)]).toEqual([glob, name, picomatch(glob)(name)]);
    }),
    { numRuns: 2_000 },
  );
});

test("[core.globs.folders] a folder is entered if a path below it could match", () => {
  const below = (pattern: string, folder: string) => folderMatcher(pattern)(folder);
  for (const folder of ["a", "a/b", "a/b/c"]) {
    expect(below("*.md", folder)).toBe(false);
    expect(below("**/*.md", folder)).toBe(true);
    expect(below("*.md, **/x", folder)).toBe(true);
  }
  expect(["a", "b", "a/x", "a/x/y"].map((folder) => below("a/*/c.md", folder))).toEqual([
    true,
    false,
    true,
    false,
  ]);
  expect(["docs", "src", "docs/x/y"].map((folder) => below("{docs,notes}/**", folder))).toEqual([
    true,
    false,
    true,
  ]);
  expect(below("./a/b.md", "a")).toBe(true);
  const flat = ["*.md", "*.md, ./b.{md,txt}", "**", "a/*.md", "*.md, **/*.txt", "{a,b/c}.md"];
  expect(flat.map(matchesTopFolderOnly)).toEqual([true, true, false, false, false, false]);
});

test("[core.globs.folders] no folder of a matching path is skipped", () => {
  const name = fc.constantFrom("a", "b", "ab");
  const step = fc.constantFrom("a", "b", "*", "?", "a*", "[ab]", "**", "{a,b/a}");
  const joined = (part: fc.Arbitrary<string>) =>
    fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
  fc.assert(
    fc.property(joined(step), joined(name), (pattern, path) => {
      if (!globMatcher(pattern)(path)) return;
      const names = path.split("/");
      for (let depth = 1; depth < names.length; depth++)
        expect(folderMatcher(pattern)(names.slice(0, depth).join("/"))).toBe(true);
    }),
    { numRuns: 5_000, seed: 20_261_118 },
  );
});
