import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { childSource } from "../child-source.ts";
import type { Tally } from "../fixtures/qualitative/project-commands.ts";

/**
 * Undoes and redoes random sequences of commands on a project:
 * `node scripts/run.mjs tests/programs/undo-sequences.ts 100000 7` for this many from seed 7. A
 * process and its project run a thousand of them, then both are replaced: a connection is
 * released only when its statements are collected, so one process would grow endlessly.
 */
const [count = "100000", seed = "1"] = process.argv.slice(2);
const batchSize = 1_000;
const child = childSource(`
  import { walkThroughHistory } from "./tests/fixtures/qualitative/project-commands.ts";
  const [folder, sequences, seed] = process.argv.slice(2);
  const wanted = { sequences: Number(sequences), seed: Number(seed) };
  process.send(await walkThroughHistory(folder, wanted), () => process.disconnect());
`);
const total: Tally = { sequences: 0, commands: 0, refused: 0, steps: 0, restarts: 0 };
for (let round = 0; total.sequences < Number(count); round++) {
  const sequences = Math.min(batchSize, Number(count) - total.sequences);
  const tally = await runSequences(sequences, Number(seed) * 1_009 + round);
  for (const key of Object.keys(total) as (keyof Tally)[]) total[key] += tally[key];
  process.stderr.write(`${total.sequences} of ${count}\n`);
}
process.stdout.write(`seed ${seed}: ${JSON.stringify(total)}, all states restored\n`);

async function runSequences(sequences: number, roundSeed: number): Promise<Tally> {
  const memory = "/dev/shm";
  const folder = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), "lectern-undo-"));
  try {
    const walker = fork(child, [folder, String(sequences), String(roundSeed)]);
    let tally: Tally | undefined;
    walker.on("message", (message) => {
      // The child above sends nothing else.
      tally = message as Tally;
    });
    const [code, signal] = await once(walker, "exit");
    if (tally && code === 0) return tally;
    throw new Error(`Seed ${roundSeed} of ${sequences} sequences ended with ${signal ?? code}.`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
