/**
 * Is cruel to the built program and counts what is lost; 0 is the only number that passes.
 * `--only kills` runs one campaign, `--long` takes hours, `--ci` as much as every change of the code
 * has to stand, `--count 25` so many, `--seed 7` the same as before. A loss is printed with the command
 * that runs its round again.
 */
import { parseArgs } from "node:util";
import { campaigns } from "../tests/torture/all.ts";
import { type Campaign, type Loss, runCampaign, type Scale } from "../tests/torture/campaign.ts";

const { values: flags } = parseArgs({
  options: {
    only: { type: "string" },
    seed: { type: "string", default: "1" },
    count: { type: "string" },
    long: { type: "boolean" },
    ci: { type: "boolean" },
  },
});
const scale: Scale = flags.long ? "long" : flags.ci ? "ci" : "usual";
const [seed, count] = [numberFrom("seed"), numberFrom("count")];
const chosen = campaigns.filter(({ name }) => flags.only === undefined || flags.only === name);
if (chosen.length === 0) {
  throw new Error(`--only takes one of ${campaigns.map(({ name }) => name).join(", ")}.`);
}

let lost = 0;
for (const campaign of chosen) lost += await inflict(campaign);
process.stdout.write(`${lost} losses in all\n`);
process.exit(lost === 0 ? 0 : 1);

async function inflict(campaign: Campaign): Promise<number> {
  const { name, unit, counts, leftOut } = campaign;
  const reason = leftOut?.();
  if (reason !== undefined) {
    process.stdout.write(`${name}: LEFT OUT, because ${reason}\n`);
    return 0;
  }
  const wanted = count ?? counts[scale];
  const start = performance.now();
  const report = await runCampaign(campaign, {
    seed: seed ?? 1,
    count: wanted,
    scale,
    onRound: (done) => showProgress(`${name}: ${done} of ${wanted} ${unit}`),
  });
  showProgress("");
  const seconds = Math.round((performance.now() - start) / 1_000);
  const kinds = Object.entries(report.done).map(([kind, times]) => `${times} ${kind}`);
  process.stdout.write(
    `${name}: ${wanted} ${unit} (${kinds.join(", ")}), ${report.losses.length} losses, seed ${seed ?? 1}, ${seconds} s\n`,
  );
  for (const note of report.notes) process.stdout.write(`  NOTE: ${note}\n`);
  for (const loss of report.losses.slice(0, 50)) tell(campaign, loss);
  return report.losses.length;
}

function tell({ name }: Campaign, { what, seed: its, count: many }: Loss): void {
  process.stdout.write(
    `  LOST: ${what}\n    again: npm run torture -- --only ${name} --seed ${its} --count ${many}${flags.long ? " --long" : flags.ci ? " --ci" : ""}\n`,
  );
}

/** One line that is written over, for a person who watches; nothing where nobody does. */
function showProgress(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${line}`);
}

function numberFrom(flag: "seed" | "count"): number | undefined {
  const word = flags[flag];
  if (word === undefined) return undefined;
  if (!/^\d{1,9}$/.test(word)) throw new Error(`--${flag} takes a whole number, not '${word}'.`);
  return Number(word);
}
