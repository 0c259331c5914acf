import { expect, test } from "vitest";
import { crowd } from "./crowd.ts";
import { lossesOf, patienceMs } from "./losses.ts";

test(
  "[house.torture.losses] many clients at once are all answered alike",
  async () => {
    expect(await lossesOf(crowd)).toEqual([]);
  },
  patienceMs,
);
