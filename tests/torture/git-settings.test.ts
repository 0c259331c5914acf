import { expect, test } from "vitest";
import { gitSettings } from "./git-settings.ts";
import { lossesOf, patienceMs } from "./losses.ts";

test(
  "[house.git.settings] no setting of a repository runs a program, and refusals name theirs",
  async () => {
    expect(await lossesOf(gitSettings)).toEqual([]);
  },
  patienceMs,
);
