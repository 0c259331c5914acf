import { showFigures } from "../journeys/figures.ts";
import { type Campaign, runCampaign } from "./campaign.ts";

/** Of the moment, so that each run of the suite looks elsewhere; a loss names the seed of its round. */
const seed = Number(process.env.LECTERN_SEED ?? 1 + (Date.now() % 1_000_000));

/** What is lost in as much of a campaign as every change of the code has to stand. */
export async function lossesOf(campaign: Campaign): Promise<string[]> {
  const { name, unit, counts } = campaign;
  const { done, losses, notes } = await runCampaign(campaign, {
    seed,
    count: counts.ci,
    scale: "ci",
  });
  showFigures(`${name}: ${counts.ci} ${unit}, ${JSON.stringify(done)}`, ...notes);
  return losses.map(
    (loss) =>
      `${loss.what}; again: npm run torture -- --only ${name} --seed ${loss.seed} --count ${loss.count} --ci`,
  );
}

/** How long a campaign may take on a busy machine. */
export const patienceMs = 1_800_000;
