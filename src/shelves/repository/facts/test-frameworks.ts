import { baseNameOf } from "../../../text/strings/relative-path.ts";
import type { RepoModel } from "../repo/repo-model.ts";

/** The test frameworks of a project; `endings` are the extensions of its test files. */
export function detectTestFrameworks(
  { ownFiles, projectManifests, testManifests }: RepoModel,
  endings: ReadonlySet<string>,
): string[] {
  const frameworks = new Set<string>();
  const add = (table: Record<string, string>, key: string): void => {
    const name = Object.hasOwn(table, key) ? table[key] : undefined;
    if (name !== undefined) frameworks.add(name);
  };
  for (const { manifest, kind } of [...projectManifests, ...testManifests]) {
    for (const name of [...(manifest?.devDependencies ?? []), ...(manifest?.dependencies ?? [])]) {
      // A package named `test` is a test framework only in Dart.
      if (name !== "test" || kind.ecosystem === "dart") add(byDependency, name);
      if (kind.ecosystem === "java" && /^(kotlin-test-)?junit/.test(name)) frameworks.add("junit");
    }
    for (const tool of manifest?.tools ?? []) add(byTool, tool);
  }
  for (const { path } of ownFiles) {
    const name = baseNameOf(path);
    if (!configNameHint.test(name)) continue;
    for (const [framework, pattern] of byConfigFile)
      if (pattern.test(name)) frameworks.add(framework);
  }
  for (const ending of endings) add(byExtension, ending);
  const isDeno = projectManifests.some(({ kind }) => kind.manager === "deno");
  if (
    isDeno &&
    frameworks.size === 0 &&
    ["ts", "tsx", "js", "mjs"].some((ending) => endings.has(ending))
  )
    frameworks.add("deno test");
  const hasPython = endings.has("py");
  if (hasPython && !["pytest", "nose", "behave"].some((name) => frameworks.has(name)))
    frameworks.add("unittest");
  const hasRuby = endings.has("rb");
  if (hasRuby && !["rspec", "test-unit", "cucumber"].some((name) => frameworks.has(name)))
    frameworks.add("minitest");
  return [...frameworks].sort();
}

/** Frameworks by dependency. */
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
  // borp runs node:test, react-scripts runs Jest.
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

/** Frameworks by configuration file, in any folder. */
const byConfigFile: readonly [string, RegExp][] = [
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

/** A cheap prefilter: the beginnings of the names above. */
const configNameHint =
  /^(jest|vitest|\.mocharc|ava|karma|playwright|cypress|pytest|conftest|tox|noxfile|\.rspec|phpunit)\b|\.bats$/;

/** Languages with a built-in test runner, by extension. */
const byExtension: Record<string, string> = {
  go: "go test",
  rs: "cargo test",
  exs: "exunit",
  swift: "xctest",
  jl: "julia test",
  zig: "zig test",
  t: "prove",
};

/** Frameworks by settings in a manifest. */
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
