import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomNumbers } from "../../fixtures/random-numbers.ts";
import type { Campaign, Round, RoundReport } from "../campaign.ts";
import { type Kind, kinds, unknownFiles } from "./damage-kinds.ts";
import { type Harm, importOf, judgeDamage, repaired } from "./damage-verdict.ts";
import { answersOrError, createIntactHome, type IntactHome } from "./intact-home.ts";

/** The files of a home, each damaged in many ways: later answers must be correct or errors. */
export const damage: Campaign = {
  name: "damage",
  unit: "damaged files",
  counts: { ci: 32, default: 128, long: 4_800 },
  roundOf: 16,
  lanes: 2,
  round: damageAll,
};

async function damageAll({ seed, count }: Round): Promise<RoundReport> {
  const random = randomNumbers(seed);
  const place = mkdtempSync(join(tmpdir(), "lectern-damage-"));
  const kept = `${place}-kept`;
  const report: RoundReport = { done: {}, losses: [] };
  try {
    const sound = await createIntactHome(place);
    cpSync(place, kept, { recursive: true, preserveTimestamps: true });
    for (let number = 0; number < count; number++) {
      const [name = "", kind] = Object.entries(kinds)[number % Object.keys(kinds).length] ?? [];
      if (kind === undefined) continue;
      const wrongs = await damageOne(sound, kind, random);
      report.done[name] = (report.done[name] ?? 0) + 1;
      report.losses.push(...wrongs.map((wrong) => `${name} ${number}, ${wrong}`));
      rmSync(place, { recursive: true, force: true });
      cpSync(kept, place, { recursive: true, preserveTimestamps: true });
    }
  } finally {
    for (const folder of [place, kept]) rmSync(folder, { recursive: true, force: true });
  }
  return report;
}

async function damageOne(sound: IntactHome, kind: Kind, random: () => number): Promise<string[]> {
  const path = kind.path(sound);
  const { name, bytes } = await kind.harm(sound, random);
  const wrongs = unknownFiles(sound).map((file) => `no damage kind covers ${file}`);
  const harm: Harm = { path, bytes, about: kind.about };
  const first = await answersOrError(sound);
  wrongs.push(...judgeDamage(sound, first, harm));
  if (path.endsWith(".qdpx")) wrongs.push(...(await importOf(sound, path)));
  if (Object.values(first).some((answer) => answer instanceof Error)) {
    wrongs.push(...(await repaired(sound, harm)));
  }
  return wrongs.map((wrong) => `${name}: ${wrong}`);
}
