import { expect, test } from "vitest";
import { lossesOf, patienceMs } from "./losses.ts";
import { sockets } from "./sockets.ts";

test(
  "[house.torture.losses] connections that say nothing keep nobody from being served",
  async () => {
    expect(await lossesOf(sockets)).toEqual([]);
  },
  patienceMs,
);
