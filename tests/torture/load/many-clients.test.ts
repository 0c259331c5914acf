import { expect, test } from "vitest";
import { campaignTimeoutMs, lossesOf } from "../losses.ts";
import { manyClients } from "./many-clients.ts";

test(
  "[core.torture.losses] many concurrent clients get the same answers",
  async () => {
    expect(await lossesOf(manyClients)).toEqual([]);
  },
  campaignTimeoutMs,
);
