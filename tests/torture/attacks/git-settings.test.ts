import { expect, test } from "vitest";
import { campaignTimeoutMs, lossesOf } from "../losses.ts";
import { gitSettings } from "./git-settings.ts";

test(
  "[core.git.settings] no repository setting runs a program, and the refusal names the setting",
  async () => {
    expect(await lossesOf(gitSettings)).toEqual([]);
  },
  campaignTimeoutMs,
);
