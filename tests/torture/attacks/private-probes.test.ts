import { expect, test } from "vitest";
import { campaignTimeoutMs, lossesOf } from "../losses.ts";
import { privateProbes } from "./private-probes.ts";

test(
  "[qualitative.privacy.probes] none of hundreds of queries exposes a private source to an agent",
  async () => {
    expect(privateProbes.counts.ci).toBeGreaterThanOrEqual(300);
    expect(await lossesOf(privateProbes)).toEqual([]);
  },
  campaignTimeoutMs,
);
