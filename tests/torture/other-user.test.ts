import { expect, test } from "vitest";
import { showFigures } from "../journeys/figures.ts";
import { lossesOf, patienceMs } from "./losses.ts";
import { otherUserCampaign } from "./other-user.ts";

test(
  "[house.torture.losses] another user of the machine is served by nothing",
  async () => {
    const why = otherUserCampaign.leftOut?.();
    if (why) return showFigures(`NOT RUN: ${why}`);
    expect(await lossesOf(otherUserCampaign)).toEqual([]);
  },
  patienceMs,
);
