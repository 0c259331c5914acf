import { describe, expect, test } from "vitest";
import { showFigures } from "./journeys/figures.ts";
import { campaigns } from "./torture/all.ts";
import { runCampaign } from "./torture/campaign.ts";

const seed = Number(process.env.LECTERN_SEED ?? 1 + (Date.now() % 1_000_000));

/**
 * A part of each campaign, small enough for every run of the suite: three minutes in all. `npm run
 * torture -- --ci` runs what a change has to stand in full, without a seed of the day.
 */
const shares: Record<string, number> = {
  kills: 50,
  damage: 8,
  full: 20,
  frames: 6_000,
  crowd: 100,
  processes: 10,
  sockets: 2_500,
  hostile: 100,
  same: 3,
};

describe("torture", () => {
  test("every campaign has its share", () => {
    expect(Object.keys(shares).sort()).toEqual(campaigns.map(({ name }) => name).sort());
  });

  for (const campaign of campaigns) {
    const { name, unit, leftOut } = campaign;
    const reason = leftOut?.();
    // What cannot be run here says so in its name, and is seen as left out.
    test.skipIf(reason !== undefined)(
      `[house.torture.losses] ${name}: nothing is lost${reason === undefined ? "" : `, left out because ${reason}`}`,
      async () => {
        const count = shares[name] ?? 0;
        const { done, losses, notes } = await runCampaign(campaign, { seed, count, scale: "ci" });
        showFigures(`${name}: ${count} ${unit}, ${JSON.stringify(done)}`, ...notes);

        expect(
          losses.map(
            (loss) =>
              `${loss.what}; again: npm run torture -- --only ${name} --seed ${loss.seed} --count ${loss.count} --ci`,
          ),
        ).toEqual([]);
      },
      600_000,
    );
  }
});
