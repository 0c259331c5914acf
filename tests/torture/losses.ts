import { showFigures } from "../journeys/figures.ts";
import { readSeed } from "../runner/seed.ts";
import { type Campaign, runCampaign } from "./campaign.ts";

/** Runs a campaign at the scale of the test suite and returns its losses. */
export async function lossesOf(campaign: Campaign): Promise<string[]> {
  const { name, unit, counts } = campaign;
  const { done, losses, notes } = await runCampaign(campaign, {
    seed: readSeed(),
    count: counts.ci,
    scale: "ci",
  });
  showFigures(`${name}: ${counts.ci} ${unit}, ${JSON.stringify(done)}`, ...notes);
  return losses.map(
    (loss) =>
      `${loss.description}; repeat: npm run torture -- --only ${name} --seed ${loss.seed} --count ${loss.count} --ci`,
  );
}

/** The maximum duration of a campaign on a busy machine. */
export const campaignTimeoutMs = 1_800_000;
