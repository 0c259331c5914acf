import { expect, test } from "vitest";
import { showFigures } from "../../journeys/figures.ts";
import { campaignTimeoutMs, lossesOf } from "../losses.ts";
import { otherUserCampaign } from "./other-user.ts";

test(
  "[core.torture.losses] another user of the machine is not served",
  async () => {
    const why = otherUserCampaign.skipReason?.();
    if (why) return showFigures(`NOT RUN: ${why}`);
    expect(await lossesOf(otherUserCampaign)).toEqual([]);
  },
  campaignTimeoutMs,
);
