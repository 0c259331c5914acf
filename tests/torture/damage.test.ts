import { expect, test } from "vitest";
import { damage } from "./damage.ts";
import { lossesOf, patienceMs } from "./losses.ts";

test(
  "[house.torture.losses] whatever is damaged of a home, answers are right, or refusals that say what to do",
  async () => {
    expect(await lossesOf(damage)).toEqual([]);
  },
  patienceMs,
);
