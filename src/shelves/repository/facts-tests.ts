import { groupedBy } from "../../text/grouped.ts";
import { endingOf, isProgram } from "../../text/languages.ts";
import { testFrameworks } from "./facts-test-frameworks.ts";
import { folderOf, nameOf } from "./folders.ts";
import type { Sight } from "./sight.ts";

export interface TestsFound {
  /** Folders of tests, and patterns of tests that lie beside what they test. */
  paths: string[];
  frameworks: string[];
}

/** A test by the name of its file, as each language's own runner finds it: endings, pattern, test. */
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

const patternsByEnding = groupedBy(
  patterns.flatMap(([endings, shown, pattern]) =>
    endings.split(" ").map((ending) => ({ ending, shown, pattern })),
  ),
  ({ ending }) => ending,
);

export function testsOf(sight: Sight): TestsFound {
  const { own, roleOf } = sight;
  const folders = new Set<string>();
  const beside = new Set<string>();
  const endings = new Set<string>();
  for (const { path } of own) {
    const { tests } = roleOf(folderOf(path));
    const name = nameOf(path);
    const fit = patternsByEnding.get(endingOf(name))?.find(({ pattern }) => pattern.test(name));
    // A folder of specifications in prose is no folder of tests.
    if (!fit && !(tests !== undefined && isProgram(path))) continue;
    endings.add(name.slice(name.lastIndexOf(".") + 1));
    if (tests !== undefined) folders.add(`${tests}/`);
    else if (fit) beside.add(patternShown(fit.shown, name));
  }
  // Rust's tests lie beside the sources by habit, and say nothing where a folder says it.
  if (folders.size > 0) beside.delete("tests.rs");
  return {
    paths: [...[...folders].sort(), ...[...beside].map((label) => `${label} beside the sources`)],
    frameworks: testFrameworks(sight, endings),
  };
}

/** `*.test.ts` for `Adr.test.ts`; the other patterns are shown as they are. */
const patternShown = (pattern: string, name: string): string =>
  pattern === "*.test.*" ? `*${/[._][^._]+\.[^.]+$/.exec(name)?.[0] ?? ""}` : pattern;
