import { expect, test } from "vitest";
import { campaignTimeoutMs, lossesOf } from "../losses.ts";
import { health } from "./health.ts";

test(
  "[core.torture.losses] a server that indexes large and hostile documents answers immediately",
  async () => {
    expect(await lossesOf(health)).toEqual([]);
  },
  campaignTimeoutMs,
);
