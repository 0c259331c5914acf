import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshHome, type Served, startServer } from "../journeys/program.ts";
import { runSuite } from "./suite.ts";

/**
 * Scenarios that need no test tools, run against the product. They verify that the product is
 * configured like the fixture, which runs the scenarios that need tools with certain names.
 */
const scenarios: [version: string, scenario: string][] = [
  ["2025-11-25", "server-initialize"],
  ["2025-11-25", "server-session-lifecycle"],
  ["2025-11-25", "logging-set-level"],
  ["2025-11-25", "ping"],
  ["2025-11-25", "tools-list"],
  ["2025-11-25", "resources-list"],
  ["2025-11-25", "prompts-list"],
  ["2025-11-25", "server-sse-multiple-streams"],
  ["2025-11-25", "dns-rebinding-protection"],
  ["2026-07-28", "tools-list"],
  ["2026-07-28", "resources-list"],
  ["2026-07-28", "prompts-list"],
  ["2026-07-28", "server-sse-multiple-streams"],
  ["2026-07-28", "sep-2164-resource-not-found"],
  ["2026-07-28", "dns-rebinding-protection"],
  ["2026-07-28", "caching"],
  ["2026-07-28", "http-header-validation"],
  ["2026-07-28", "input-required-result-unsupported-methods"],
];

const home = freshHome();
let server: Served;
beforeAll(async () => {
  server = await startServer(home);
});
afterAll(async () => {
  await server.stop();
  rmSync(home, { recursive: true, force: true });
});

test.each(scenarios)(
  "[core.conformance.product] the program passes, at %s, %s",
  async (version, scenario) => {
    const args = ["--scenario", scenario, "--spec-version", version];
    const { code, output } = await runSuite(`${server.url}/mcp`, args);

    expect(code, output).toBe(0);
    expect(output).toMatch(/Passed: [1-9]/);
  },
);
