import { expect, test } from "vitest";
import { frozen } from "./frozen.ts";
import { lossesOf, patienceMs } from "./losses.ts";

test(
  "[house.torture.losses] a process that is stopped while it writes stops nobody else",
  async () => {
    expect(await lossesOf(frozen)).toEqual([]);
  },
  patienceMs,
);
