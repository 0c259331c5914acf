import { expect, test } from "vitest";
import { lossesOf, patienceMs } from "./losses.ts";
import { privateProbes } from "./private-probes.ts";

test(
  "[qualitative.privacy.probes] of hundreds of ways to ask, none tells an agent of a private source",
  async () => {
    expect(privateProbes.counts.ci).toBeGreaterThanOrEqual(300);
    expect(await lossesOf(privateProbes)).toEqual([]);
  },
  patienceMs,
);
