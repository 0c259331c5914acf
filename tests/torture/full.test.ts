import { expect, test } from "vitest";
import { full } from "./full.ts";
import { lossesOf, patienceMs } from "./losses.ts";

const reason = full.leftOut?.();

// What cannot be run here says so in its name, and is seen as left out.
test.skipIf(reason !== undefined)(
  `[house.torture.losses] on a full disk it refuses, and keeps what was acknowledged${reason === undefined ? "" : `, left out because ${reason}`}`,
  async () => {
    expect(await lossesOf(full)).toEqual([]);
  },
  patienceMs,
);
