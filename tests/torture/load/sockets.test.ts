import { expect, test } from "vitest";
import { campaignTimeoutMs, lossesOf } from "../losses.ts";
import { sockets } from "./sockets.ts";

test(
  "[core.torture.losses] silent connections do not prevent others from being served",
  async () => {
    expect(await lossesOf(sockets)).toEqual([]);
  },
  campaignTimeoutMs,
);
