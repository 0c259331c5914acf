import { expect, test } from "vitest";
import { campaignTimeoutMs, lossesOf } from "../losses.ts";
import { frozen } from "./frozen.ts";

test(
  "[core.torture.losses] a process suspended while it writes does not block others",
  async () => {
    expect(await lossesOf(frozen)).toEqual([]);
  },
  campaignTimeoutMs,
);
