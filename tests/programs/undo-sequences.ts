import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { walkThroughHistory } from "../fixtures/project-commands.ts";

/**
 * Undoes and redoes random sequences of commands on a project:
 * `node scripts/run.mjs tests/programs/undo-sequences.ts 100000 7` for so many from seed 7. A
 * project takes a thousand of them, then a new one is made.
 */
const [count = "100000", seed = "1"] = process.argv.slice(2);
const total = { sequences: 0, commands: 0, refused: 0, steps: 0, restarts: 0 };
const shared = "/dev/shm";
for (let round = 0; total.sequences < Number(count); round++) {
  const folder = mkdtempSync(join(existsSync(shared) ? shared : tmpdir(), "lectern-undo-"));
  try {
    const sequences = Math.min(1_000, Number(count) - total.sequences);
    const walk = await walkThroughHistory(folder, {
      sequences,
      seed: Number(seed) * 1_009 + round,
    });
    for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += walk[key];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
process.stdout.write(`seed ${seed}: ${JSON.stringify(total)}, all as it was\n`);
