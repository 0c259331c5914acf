import { expect, test } from "vitest";
import { frames } from "./frames.ts";
import { lossesOf, patienceMs } from "./losses.ts";

test(
  "[house.torture.losses] between frames that are none, good ones are answered",
  async () => {
    expect(await lossesOf(frames)).toEqual([]);
  },
  patienceMs,
);
