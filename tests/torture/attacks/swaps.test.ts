import { expect, test } from "vitest";
import { campaignTimeoutMs, lossesOf } from "../losses.ts";
import { swaps } from "./swaps.ts";

test(
  "[core.paths.swapped] nothing outside the root is written, listed or left behind while its folders are replaced with links",
  async () => {
    expect(await lossesOf(swaps)).toEqual([]);
  },
  campaignTimeoutMs,
);
