import { sqlCampaign } from "../fixtures/sql/sql-campaign.ts";

/** `node scripts/run.mjs tests/programs/sql-campaign.ts [count] [seed]` */
const [count = 20_000, seed = 1] = process.argv.slice(2).map(Number);
const { outcomes, violations, slowestMs } = await sqlCampaign(seed, count);
const lines = Object.entries(outcomes).map(
  ([outcome, times]) => `${String(times).padStart(6)} ${outcome}`,
);
process.stdout.write(
  `${lines.sort().join("\n")}\nslowest ${Math.round(slowestMs)} ms\n${violations.join("\n") || "no errors"}\n`,
);
process.exitCode = violations.length > 0 ? 1 : 0;
