import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Fixture, runSuite, startFixture } from "./suite.ts";

describe("the fixture, with our kernel and HTTP surface", () => {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await startFixture();
  });
  afterAll(() => fixture.stop());

  test.each([
    ["2025-11-25", 30],
    ["2026-07-28", 37],
  ])(
    "[core.conformance.fixture] all required scenarios of %s pass, without a baseline",
    async (revision, required) => {
      const { code, ran, failed, unscored, output } = await runSuite(fixture.url, [
        "--requirements",
        revision,
      ]);

      expect(ran.filter((name) => !unscored.includes(name)).length, output).toBe(required);
      expect(
        failed.filter((name) => !unscored.includes(name)),
        output,
      ).toEqual([]);
      expect(code, output).toBe(0);
    },
  );
});

describe("a fixture with a part removed", () => {
  test.each([
    ["no-origin-guard", "dns-rebinding-protection"],
    ["no-ttl", "caching"],
  ])("[core.conformance.alive] the suite fails with %s", async (damage, scenario) => {
    const fixture = await startFixture(damage);
    try {
      const { code, output } = await runSuite(fixture.url, ["--scenario", scenario]);
      expect(code, output).toBe(1);
      expect(output).toContain("FAILURE");
    } finally {
      await fixture.stop();
    }
  });
});
