import { expect, test } from "vitest";
import { lossesOf, patienceMs } from "./losses.ts";
import { rows } from "./rows.ts";

test(
  "[house.torture.rows] a row that is altered or lost is found by the doctor and healed by update, or harmless",
  async () => {
    expect(await lossesOf(rows)).toEqual([]);
  },
  patienceMs,
);
