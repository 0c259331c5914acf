import { expect, test } from "vitest";
import { kills } from "./kills.ts";
import { lossesOf, patienceMs } from "./losses.ts";

test(
  "[house.torture.losses] killed again and again while it works, it keeps what was acknowledged",
  async () => {
    expect(await lossesOf(kills)).toEqual([]);
  },
  patienceMs,
);
