import { expect, test } from "vitest";
import { lossesOf, patienceMs } from "./losses.ts";
import { swaps } from "./swaps.ts";

test(
  "[house.paths.swapped] nothing is written, listed or left outside the root while its folders are swapped for links",
  async () => {
    expect(await lossesOf(swaps)).toEqual([]);
  },
  patienceMs,
);
