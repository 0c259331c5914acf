import { expect, test } from "vitest";
import { hostile } from "./hostile.ts";
import { lossesOf, patienceMs } from "./losses.ts";

test(
  "[house.torture.losses] no attack brings it down, or lets it tell what is outside",
  async () => {
    expect(await lossesOf(hostile)).toEqual([]);
  },
  patienceMs,
);
