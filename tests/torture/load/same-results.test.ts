import { expect, test } from "vitest";
import { campaignTimeoutMs, lossesOf } from "../losses.ts";
import { sameResults } from "./same-results.ts";

test(
  "[core.torture.losses] the same files in another order have the same ids and ranking",
  async () => {
    expect(await lossesOf(sameResults)).toEqual([]);
  },
  campaignTimeoutMs,
);
