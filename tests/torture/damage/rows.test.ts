import { expect, test } from "vitest";
import { campaignTimeoutMs, lossesOf } from "../losses.ts";
import { rows } from "./rows.ts";

test(
  "[core.torture.rows] an altered or lost row is found by doctor and repaired by update, or harmless",
  async () => {
    expect(await lossesOf(rows)).toEqual([]);
  },
  campaignTimeoutMs,
);
