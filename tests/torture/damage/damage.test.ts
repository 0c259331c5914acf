import { expect, test } from "vitest";
import { campaignTimeoutMs, lossesOf } from "../losses.ts";
import { damage } from "./damage.ts";

test(
  "[core.torture.losses] after any damage to a home, answers are correct, or errors with a remedy",
  async () => {
    expect(await lossesOf(damage)).toEqual([]);
  },
  campaignTimeoutMs,
);
