import { expect, test } from "vitest";
import { collecting } from "./collecting.ts";
import { lossesOf, patienceMs } from "./losses.ts";

test(
  "[house.torture.losses] a server that takes in large and hostile documents answers at once",
  async () => {
    expect(await lossesOf(collecting)).toEqual([]);
  },
  patienceMs,
);
