import { nameOf } from "./folders.ts";
import type { Sight } from "./sight.ts";

/** What the project's tests are run by; `endings` are those of the files that are tests. */
export function testFrameworks(
  { own, speaking, trying }: Sight,
  endings: ReadonlySet<string>,
): string[] {
  const found = new Set<string>();
  const add = (table: Record<string, string>, key: string): void => {
    const name = Object.hasOwn(table, key) ? table[key] : undefined;
    if (name !== undefined) found.add(name);
  };
  for (const { said, kind } of [...speaking, ...trying]) {
    for (const name of [...(said?.devDependencies ?? []), ...(said?.dependencies ?? [])]) {
      // `test` is a package of that meaning in Dart alone.
      if (name !== "test" || kind.ecosystem === "dart") add(byDependency, name);
      if (kind.ecosystem === "java" && /^(kotlin-test-)?junit/.test(name)) found.add("junit");
    }
    for (const tool of said?.tools ?? []) add(byTool, tool);
  }
  for (const { path } of own) {
    const name = nameOf(path);
    if (!setsUp.test(name)) continue;
    for (const [framework, pattern] of byFile) if (pattern.test(name)) found.add(framework);
  }
  for (const ending of endings) add(byEnding, ending);
  const isDeno = speaking.some(({ kind }) => kind.manager === "deno");
  if (
    isDeno &&
    found.size === 0 &&
    ["ts", "tsx", "js", "mjs"].some((ending) => endings.has(ending))
  )
    found.add("deno test");
  const hasPython = endings.has("py");
  if (hasPython && !["pytest", "nose", "behave"].some((name) => found.has(name)))
    found.add("unittest");
  const hasRuby = endings.has("rb");
  if (hasRuby && !["rspec", "test-unit", "cucumber"].some((name) => found.has(name)))
    found.add("minitest");
  return [...found].sort();
}

/** What a dependency is called by those who test with it. */
const byDependency: Record<string, string> = {
  ava: "ava",
  jasmine: "jasmine",
  "jasmine-core": "jasmine",
  jest: "jest",
  karma: "karma",
  mocha: "mocha",
  qunit: "qunit",
  qunitjs: "qunit",
  tap: "tap",
  tape: "tape",
  uvu: "uvu",
  vitest: "vitest",
  cypress: "cypress",
  "@playwright/test": "playwright",
  // These two run the tests by somebody else's runner.
  borp: "node:test",
  "react-scripts": "jest",
  "@web/test-runner": "web-test-runner",
  webdriverio: "webdriverio",
  testcafe: "testcafe",
  nightwatch: "nightwatch",
  behave: "behave",
  nose: "nose",
  nox: "nox",
  pytest: "pytest",
  robotframework: "robot framework",
  tox: "tox",
  rspec: "rspec",
  "rspec-rails": "rspec",
  "rspec-core": "rspec",
  minitest: "minitest",
  "test-unit": "test-unit",
  cucumber: "cucumber",
  "phpunit/phpunit": "phpunit",
  "pestphp/pest": "pest",
  "codeception/codeception": "codeception",
  "behat/behat": "behat",
  "phpspec/phpspec": "phpspec",
  "spring-boot-starter-test": "junit",
  testng: "testng",
  "spock-core": "spock",
  "kotest-runner-junit5": "kotest",
  scalatest: "scalatest",
  munit: "munit",
  xunit: "xunit",
  "xunit.v3": "xunit",
  NUnit: "nunit",
  "MSTest.TestFramework": "mstest",
  MSTest: "mstest",
  TUnit: "tunit",
  flutter_test: "flutter test",
  test: "dart test",
  "github.com/onsi/ginkgo": "ginkgo",
  "github.com/onsi/ginkgo/v2": "ginkgo",
  GTest: "googletest",
  googletest: "googletest",
  gtest: "googletest",
  Catch2: "catch2",
  catch2: "catch2",
  doctest: "doctest",
  hspec: "hspec",
  tasty: "tasty",
  testthat: "testthat",
};

/** A file of this name sets the framework up, wherever it lies. */
const byFile: readonly [string, RegExp][] = [
  ["jest", /^jest\.config\.[cm]?[jt]s(on)?$/],
  ["vitest", /^vitest\.(config|workspace)\.[cm]?[jt]s$/],
  ["mocha", /^\.mocharc\.(js|cjs|json|jsonc|ya?ml)$/],
  ["ava", /^ava\.config\.[cm]?js$/],
  ["karma", /^karma\.conf\.[cm]?[jt]s$/],
  ["playwright", /^playwright\.config\.[cm]?[jt]s$/],
  ["cypress", /^cypress\.(config\.[cm]?[jt]s|json)$/],
  ["pytest", /^(pytest\.ini|conftest\.py)$/],
  ["tox", /^tox\.(ini|toml)$/],
  ["nox", /^noxfile\.py$/],
  ["rspec", /^\.rspec$/],
  ["phpunit", /^phpunit\.xml(\.dist)?$/],
  ["bats", /\.bats$/],
];

/** What the names above begin with, so that most files are asked no further. */
const setsUp =
  /^(jest|vitest|\.mocharc|ava|karma|playwright|cypress|pytest|conftest|tox|noxfile|\.rspec|phpunit)\b|\.bats$/;

/** Where a language has one runner of its own, tests in it are its tests. */
const byEnding: Record<string, string> = {
  go: "go test",
  rs: "cargo test",
  exs: "exunit",
  swift: "xctest",
  jl: "julia test",
  zig: "zig test",
  t: "prove",
};

/** What a manifest's own settings say. */
const byTool: Record<string, string> = {
  jest: "jest",
  ava: "ava",
  mocha: "mocha",
  tap: "tap",
  "node:test": "node:test",
  "bun test": "bun test",
  "deno test": "deno test",
  pytest: "pytest",
  tox: "tox",
  ctest: "ctest",
  "meson test": "meson test",
  "MSTest.Sdk": "mstest",
  useJUnitPlatform: "junit",
  useJUnit: "junit",
  useTestNG: "testng",
};
