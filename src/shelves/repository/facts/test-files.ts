import { groupBy } from "../../../text/arrays/group-by.ts";
import { extensionOf, isProgramFile } from "../../../text/software/programming-languages.ts";
import { baseNameOf, parentFolder } from "../../../text/strings/relative-path.ts";
import type { RepoModel } from "../repo/repo-model.ts";
import { detectTestFrameworks } from "./test-frameworks.ts";

export interface TestsInfo {
  /** Test folders, and patterns of tests next to their sources. */
  paths: string[];
  frameworks: string[];
}

/** Test file names of each language's runner: extensions, displayed pattern, regular expression. */
const patterns: readonly [string, string, RegExp][] = [
  ["js mjs cjs jsx ts mts cts tsx", "*.test.*", /(\.(test|spec|e2e|cy)|_(test|spec))\.[^.]+$/],
  ["go", "*_test.go", /_test\.go$/],
  ["py", "test_*.py", /^(test_.+|.+_test|tests)\.py$/],
  ["rb", "*_spec.rb", /_spec\.rb$/],
  ["rb", "*_test.rb", /_test\.rb$|^test_.+\.rb$/],
  ["java", "*Test.java", /[a-z0-9](Tests?|TestCase|IT)\.java$/],
  ["kt", "*Test.kt", /[a-z0-9](Tests?|Spec)\.kt$/],
  ["scala", "*Spec.scala", /[a-z0-9](Tests?|Spec|Suite)\.scala$/],
  ["groovy", "*Spec.groovy", /[a-z0-9](Tests?|Spec)\.groovy$/],
  ["php", "*Test.php", /[a-z0-9](Test|Cest)\.php$/],
  ["cs", "*Tests.cs", /[a-z0-9]Tests?\.cs$/],
  ["exs", "*_test.exs", /_test\.exs$/],
  ["erl", "*_SUITE.erl", /_(SUITE|tests)\.erl$/],
  ["dart", "*_test.dart", /_test\.dart$/],
  ["swift", "*Tests.swift", /[a-z0-9]Tests?\.swift$/],
  ["c cc cpp cxx", "*_test.cpp", /^test[-_]|[-_](unit)?tests?\.[^.]+$/],
  ["rs", "tests.rs", /^tests?\.rs$|_tests?\.rs$/],
  ["lua", "*_spec.lua", /_spec\.lua$/],
  ["hs", "*Spec.hs", /[a-z0-9]Spec\.hs$/],
  ["jl", "runtests.jl", /^runtests\.jl$/],
  ["r", "test-*.R", /^test[-_]/],
  ["clj cljc", "*_test.clj", /_test\.cljc?$/],
  ["t", "*.t", /\.t$/],
  ["bats", "*.bats", /\.bats$/],
];

const patternsByExtension = groupBy(
  patterns.flatMap(([endings, label, pattern]) =>
    endings.split(" ").map((ending) => ({ ending, shown: label, pattern })),
  ),
  ({ ending }) => ending,
);

export function findTests(model: RepoModel): TestsInfo {
  const { ownFiles, roleOf } = model;
  const folders = new Set<string>();
  const patternsBeside = new Set<string>();
  const endings = new Set<string>();
  for (const { path } of ownFiles) {
    const { tests } = roleOf(parentFolder(path));
    const name = baseNameOf(path);
    const match = patternsByExtension
      .get(extensionOf(name))
      ?.find(({ pattern }) => pattern.test(name));
    // A folder of prose specifications is not a test folder.
    if (!match && !(tests !== undefined && isProgramFile(path))) continue;
    endings.add(name.slice(name.lastIndexOf(".") + 1));
    if (tests !== undefined) folders.add(`${tests}/`);
    else if (match) patternsBeside.add(displayPattern(match.shown, name));
  }
  // Rust keeps unit tests next to the sources, which says nothing if there is a test folder.
  if (folders.size > 0) patternsBeside.delete("tests.rs");
  return {
    paths: [
      ...[...folders].sort(),
      ...[...patternsBeside].map((label) => `${label} beside the sources`),
    ],
    frameworks: detectTestFrameworks(model, endings),
  };
}

/** The pattern to display, e.g. `*.test.ts` for `Adr.test.ts`. */
const displayPattern = (pattern: string, name: string): string =>
  pattern === "*.test.*" ? `*${/[._][^._]+\.[^.]+$/.exec(name)?.[0] ?? ""}` : pattern;
