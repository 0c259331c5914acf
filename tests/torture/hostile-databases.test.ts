import { expect, test } from "vitest";
import { hostileDatabases } from "./hostile-databases.ts";
import { lossesOf, patienceMs } from "./losses.ts";

test(
  "[house.torture.losses] databases that mean harm keep nobody from being served",
  async () => {
    expect(await lossesOf(hostileDatabases)).toEqual([]);
  },
  patienceMs,
);
