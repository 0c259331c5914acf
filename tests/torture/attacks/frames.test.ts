import { expect, test } from "vitest";
import { campaignTimeoutMs, lossesOf } from "../losses.ts";
import { frames } from "./frames.ts";

test(
  "[core.torture.losses] valid frames between invalid ones are answered",
  async () => {
    expect(await lossesOf(frames)).toEqual([]);
  },
  campaignTimeoutMs,
);
