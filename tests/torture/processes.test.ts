import { expect, test } from "vitest";
import { lossesOf, patienceMs } from "./losses.ts";
import { processes } from "./processes.ts";

test(
  "[house.torture.losses] many processes share a home, and none loses what it wrote",
  async () => {
    expect(await lossesOf(processes)).toEqual([]);
  },
  patienceMs,
);
