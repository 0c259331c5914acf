import { expect, test } from "vitest";
import { campaignTimeoutMs, lossesOf } from "../losses.ts";
import { full } from "./full.ts";

const reason = full.skipReason?.();

// If the test cannot run, its name states the reason and it is reported as skipped.
test.skipIf(reason !== undefined)(
  `[core.torture.losses] on a full disk writes are refused, and acknowledged data is kept${reason === undefined ? "" : `, skipped: ${reason}`}`,
  async () => {
    expect(await lossesOf(full)).toEqual([]);
  },
  campaignTimeoutMs,
);
