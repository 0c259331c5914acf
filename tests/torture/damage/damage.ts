import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomNumbers } from "../../fixtures/random-numbers.ts";
import type { Campaign, Round, RoundReport } from "../campaign.ts";
import { type Kind, kinds, unknownFiles } from "./damage-kinds.ts";
import { type AppliedDamage, importOf, judgeDamage, verifyRepair } from "./damage-verdict.ts";
import { answersOrError, createIntactHome, type IntactHome } from "./intact-home.ts";

/** The files of a home, each damaged in many ways: later answers must be correct or errors. */
export const damage: Campaign = {
  name: "damage",
  unit: "damaged files",
  counts: { ci: 32, default: 128, long: 4_800 },
  roundOf: 16,
  concurrency: 2,
  round: damageAll,
};

async function damageAll({ seed, count }: Round): Promise<RoundReport> {
  const random = randomNumbers(seed);
  const tempFolder = mkdtempSync(join(tmpdir(), "lectern-damage-"));
  const backup = `${tempFolder}-kept`;
  const report: RoundReport = { done: {}, losses: [] };
  try {
    const intact = await createIntactHome(tempFolder);
    cpSync(tempFolder, backup, { recursive: true, preserveTimestamps: true });
    for (let number = 0; number < count; number++) {
      const [name = "", kind] = Object.entries(kinds)[number % Object.keys(kinds).length] ?? [];
      if (kind === undefined) continue;
      const losses = await damageOne(intact, kind, random);
      report.done[name] = (report.done[name] ?? 0) + 1;
      report.losses.push(...losses.map((loss) => `${name} ${number}, ${loss}`));
      rmSync(tempFolder, { recursive: true, force: true });
      cpSync(backup, tempFolder, { recursive: true, preserveTimestamps: true });
    }
  } finally {
    for (const folder of [tempFolder, backup]) rmSync(folder, { recursive: true, force: true });
  }
  return report;
}

async function damageOne(intact: IntactHome, kind: Kind, random: () => number): Promise<string[]> {
  const path = kind.path(intact);
  const { name, bytes } = await kind.apply(intact, random);
  const losses = unknownFiles(intact).map((file) => `no damage kind covers ${file}`);
  const applied: AppliedDamage = { path, bytes, queries: kind.queries };
  const first = await answersOrError(intact);
  losses.push(...judgeDamage(intact, first, applied));
  if (path.endsWith(".qdpx")) losses.push(...(await importOf(intact, path)));
  if (Object.values(first).some((answer) => answer instanceof Error)) {
    losses.push(...(await verifyRepair(intact, applied)));
  }
  return losses.map((loss) => `${name}: ${loss}`);
}
