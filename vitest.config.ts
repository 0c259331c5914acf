import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const setup = ["tests/own-temporary-folder.ts", "tests/runner/fast-check-seed.ts"];

/** Tests that take many seconds each. */
const slow = ["tests/torture/**/*.test.ts", "**/*.slow.test.ts"];

/** One test file per surface of the built program. */
const smoke = [
  "tests/journeys/cli/commands.test.ts",
  "tests/journeys/cli/server-mode.test.ts",
  "tests/journeys/mcp/stdio-raw.test.ts",
  "tests/journeys/mcp/bridge.test.ts",
  "tests/journeys/web/search.test.ts",
  "tests/journeys/web-coding/coding.test.ts",
];

export default defineConfig({
  test: {
    reporters: ["default", "./tests/runner/coverage-reporter.ts"],
    // A test file often waits for a program that it started, so use one more worker than cores.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        test: {
          name: "unit",
          include: ["{src,web}/**/*.test.ts", "tests/rules/*.test.ts"],
          exclude: ["**/node_modules/**", ...slow],
          // Modules have no state, so test files can share them.
          isolate: false,
          ...longTimeouts(),
        },
      },
      {
        test: {
          name: "contract",
          include: ["tests/{contract,founding,conformance}/**/*.test.ts"],
          exclude: slow,
          isolate: false,
          ...longTimeouts(),
        },
      },
      {
        test: {
          name: "smoke",
          include: smoke,
          globalSetup: "tests/runner/shared-browser.ts",
          ...longTimeouts(),
        },
      },
      {
        test: {
          name: "program",
          include: ["tests/journeys/**/*.test.ts"],
          exclude: ["tests/journeys/web*/**", ...smoke, ...slow],
          ...longTimeouts(),
        },
      },
      {
        test: {
          name: "browser",
          include: ["tests/journeys/web*/**/*.test.ts"],
          exclude: smoke,
          globalSetup: "tests/runner/shared-browser.ts",
          ...longTimeouts(),
        },
      },
      {
        test: {
          name: "postgres",
          include: ["tests/postgres/**/*.test.ts", "src/**/*.contract.test.ts"],
          exclude: ["**/node_modules/**"],
          globalSetup: "tests/runner/shared-postgres.ts",
          env: { LECTERN_TEST_ENGINE: "postgres" },
          ...longTimeouts(),
        },
      },
      {
        test: {
          name: "slow",
          include: slow,
          exclude: ["**/node_modules/**"],
          // They load the machine on purpose, so they run when the others have ended.
          sequence: { groupOrder: 1 },
          ...longTimeouts(),
        },
      },
    ],
  },
});

/** Timeouts that only a hanging test reaches, even on a busy machine. */
function longTimeouts() {
  return {
    setupFiles: setup,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  };
}
