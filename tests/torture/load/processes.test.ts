import { expect, test } from "vitest";
import { campaignTimeoutMs, lossesOf } from "../losses.ts";
import { processes } from "./processes.ts";

test(
  "[core.torture.losses] many processes share a home without losing writes",
  async () => {
    expect(await lossesOf(processes)).toEqual([]);
  },
  campaignTimeoutMs,
);
