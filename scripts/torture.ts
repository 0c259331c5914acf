/**
 * Runs the torture campaigns against the built program and counts losses. Any loss fails.
 * `--only kills` runs one campaign; `--long` takes hours; `--ci` runs the size that the tests use;
 * `--count 25` sets the number of units; `--seed 7` repeats a run. Each loss is printed with the
 * command that repeats its round.
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
const scale: Scale = flags.long ? "long" : flags.ci ? "ci" : "default";
const [seed, count] = [numberFrom("seed"), numberFrom("count")];
const selected = campaigns.filter(({ name }) => flags.only === undefined || flags.only === name);
if (selected.length === 0) {
  throw new Error(`--only must be one of ${campaigns.map(({ name }) => name).join(", ")}.`);
}

let lost = 0;
for (const campaign of selected) lost += await runAndReport(campaign);
process.stdout.write(`${lost} losses in total\n`);
process.exit(lost === 0 ? 0 : 1);

async function runAndReport(campaign: Campaign): Promise<number> {
  const { name, unit, counts, skipReason } = campaign;
  const reason = skipReason?.();
  if (reason !== undefined) {
    process.stdout.write(`${name}: SKIPPED: ${reason}\n`);
    return 0;
  }
  const total = count ?? counts[scale];
  const start = performance.now();
  const report = await runCampaign(campaign, {
    seed: seed ?? 1,
    count: total,
    scale,
    onRound: (done) => showProgress(`${name}: ${done} of ${total} ${unit}`),
  });
  showProgress("");
  const seconds = Math.round((performance.now() - start) / 1_000);
  const kinds = Object.entries(report.done).map(([kind, times]) => `${times} ${kind}`);
  process.stdout.write(
    `${name}: ${total} ${unit} (${kinds.join(", ")}), ${report.losses.length} losses, seed ${seed ?? 1}, ${seconds} s\n`,
  );
  for (const note of report.notes) process.stdout.write(`  NOTE: ${note}\n`);
  for (const loss of report.losses.slice(0, 50)) printLoss(campaign, loss);
  return report.losses.length;
}

function printLoss({ name }: Campaign, loss: Loss): void {
  process.stdout.write(
    `  LOST: ${loss.description}\n    repeat: npm run torture -- --only ${name} --seed ${loss.seed} --count ${loss.count}${flags.long ? " --long" : flags.ci ? " --ci" : ""}\n`,
  );
}

/** A progress line that overwrites itself, on a terminal only. */
function showProgress(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${line}`);
}

function numberFrom(flag: "seed" | "count"): number | undefined {
  const value = flags[flag];
  if (value === undefined) return undefined;
  if (!/^\d{1,9}$/.test(value)) throw new Error(`--${flag} must be an integer, not '${value}'.`);
  return Number(value);
}
