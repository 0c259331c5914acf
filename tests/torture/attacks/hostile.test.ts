import { expect, test } from "vitest";
import { campaignTimeoutMs, lossesOf } from "../losses.ts";
import { hostile } from "./hostile.ts";

test(
  "[core.torture.losses] no attack crashes it, or exposes anything outside",
  async () => {
    expect(await lossesOf(hostile)).toEqual([]);
  },
  campaignTimeoutMs,
);
