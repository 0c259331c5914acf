import { existsSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";
import { chromiumPath } from "../journeys/browser.ts";
import { readSeed } from "./seed.ts";
import { whyNoPostgres } from "./shared-postgres.ts";

/** Prints what a run depends on and what it leaves out, so that nothing is skipped silently. */
export default class CoverageReporter implements Reporter {
  onInit(): void {
    const lines = [
      `seed ${readSeed()} (from the commit; set LECTERN_SEED for another)`,
      `shared data: ${existsSync("../shared/data") ? "../shared/data" : "none beside this clone; tests use tests/fixtures"}`,
      `Chromium: ${chromiumPath ?? "not installed, so tests of the web app are skipped"}`,
      `PostgreSQL: ${whyNoPostgres ? `${whyNoPostgres}, so tests on a real server are skipped` : "available"}`,
      `user: ${process.getuid?.() === 0 ? "root" : "not root, so tests that act as another user are skipped"}`,
    ];
    process.stdout.write(`${lines.join("\n")}\n`);
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap(({ relativeModuleId, children }) => {
      const tests = [...children.allTests("skipped")];
      return tests.map((test) => `  ${relativeModuleId}: ${test.fullName}`);
    });
    const heading =
      skipped.length === 0 ? "No test was skipped." : "Skipped, because of the above:";
    process.stdout.write(`\n${[heading, ...skipped].join("\n")}\n`);
  }
}
