import { expect, test } from "vitest";
import { campaignTimeoutMs, lossesOf } from "../losses.ts";
import { sameResults } from "./same-results.ts";

test(
  "[core.torture.losses] the sameResults files in another order have the sameResults ids and ranking",
  async () => {
    expect(await lossesOf(sameResults)).toEqual([]);
  },
  campaignTimeoutMs,
);
