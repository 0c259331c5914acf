import { expect, test } from "vitest";
import { campaignTimeoutMs, lossesOf } from "../losses.ts";
import { hostileDatabases } from "./hostile-databases.ts";

test(
  "[core.torture.losses] hostile databases do not prevent others from being served",
  async () => {
    expect(await lossesOf(hostileDatabases)).toEqual([]);
  },
  campaignTimeoutMs,
);
