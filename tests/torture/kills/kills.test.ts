import { expect, test } from "vitest";
import { campaignTimeoutMs, lossesOf } from "../losses.ts";
import { kills } from "./kills.ts";

test(
  "[core.torture.losses] killed repeatedly while it works, it keeps acknowledged writes",
  async () => {
    expect(await lossesOf(kills)).toEqual([]);
  },
  campaignTimeoutMs,
);
