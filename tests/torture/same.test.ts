import { expect, test } from "vitest";
import { lossesOf, patienceMs } from "./losses.ts";
import { same } from "./same.ts";

test(
  "[house.torture.losses] the same files in another order have the same ids and the same ranking",
  async () => {
    expect(await lossesOf(same)).toEqual([]);
  },
  patienceMs,
);
