import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { randomNumbers } from "../fixtures/random-numbers.ts";
import { freshHome, lectern, runProgram } from "../journeys/program.ts";
import {
  contentOf,
  createReaderProgram,
  type KeptVectors,
  storeAfterKill,
  vectorsNow,
} from "./embedded-store.ts";
import { differences, lost, prematureReports } from "./embedding-faults.ts";
import { openGrowingFolder } from "./growing-folder.ts";

export interface KillReport {
  seed: number;
  /** The number of kills, and of those after which vectors had been stored. */
  kills: number;
  killsWhileEmbedding: number;
  documents: number;
  vectors: number;
  /** Descriptions of all faults. */
  faults: string[];
}

interface Trial {
  kills: number;
  seed: number;
  onKill?: ((kills: number) => void) | undefined;
}

/**
 * Kills `lectern embed` repeatedly and checks the store after each kill; each run continues the last.
 * In the end the work is completed and compared with that of a home without kills. The same seed gives the same documents and the same fractions of a run's time; the
 * time itself depends on the machine.
 */
export async function killEmbedding(options: Trial): Promise<KillReport> {
  const tempHome = freshHome();
  const folder = join(tempHome, "documents");
  const killed = await killRepeatedly(tempHome, folder, options);
  await runSuccessfully(["embed"], killed.home);
  const fresh = join(tempHome, "fresh");
  await runSuccessfully(["collection", "add", folder, "--name", "docs"], fresh);
  await runSuccessfully(["embed"], fresh);
  const end = killed.inspect();
  const faults = [
    ...killed.faults,
    ...end.inconsistencies,
    ...(end.needsEmbedding > 0 ? [`${end.needsEmbedding} documents still need vectors`] : []),
    ...prematureReports(killed.finishedChunks, end),
    ...differences(contentOf(killed.home), contentOf(fresh)),
  ];
  rmSync(tempHome, { recursive: true, force: true });
  return {
    seed: options.seed,
    kills: options.kills,
    killsWhileEmbedding: killed.whileEmbedding,
    documents: end.documents,
    vectors: end.vectors.size,
    faults,
  };
}

async function killRepeatedly(tempHome: string, folder: string, { kills, seed, onKill }: Trial) {
  const random = randomNumbers(seed);
  const home = join(tempHome, "killed");
  const reader = createReaderProgram();
  const inspect = () => storeAfterKill(home, join(tempHome, "copy"));
  const faults: string[] = [];
  // By the hash of a document reported as finished, the number of its chunks at that time.
  const finishedChunks = new Map<string, number>();
  // The vectors visible to others at the last check.
  let stored: KeptVectors = { vectors: new Map() };
  let whileEmbedding = 0;
  // The time until a run's first vectors, measured in one run for the next.
  let firstVectorsMs = 1_000;

  const documents = openGrowingFolder(folder, random);
  documents.write(200);
  await runSuccessfully(["collection", "add", folder, "--name", "docs"], home);
  let before = inspect();
  for (let kill = 0; kill < kills; ) {
    if (before.needsEmbedding < 60) {
      documents.write(80);
      await runSuccessfully(["update"], home);
    }
    const isEarly = random() < 0.2;
    const fraction = random();
    const afterMs = isEarly ? fraction * firstVectorsMs : firstVectorsMs + fraction * 300;
    const visible = await runAndKill(home, afterMs, isEarly ? undefined : reader);
    const after = inspect();
    const hasBegun = after.vectors.size > before.vectors.size;
    if (!isEarly) firstVectorsMs *= visible ? (hasBegun ? 0.95 : 1.3) : 0.7;
    if (visible) {
      kill++;
      if (hasBegun) whileEmbedding++;
      if (visible.vectors.size > 0) stored = visible;
      onKill?.(kill);
    }
    const problems = [...after.inconsistencies, ...lost(stored, after)];
    faults.push(...problems.map((fault) => `after kill ${kill}: ${fault}`));
    for (const [hash, chunks] of after.finished) finishedChunks.set(hash, chunks);
    before = after;
  }
  return { home, inspect, faults, finishedChunks, whileEmbedding };
}

/** The vectors stored just before the kill; undefined if the program finished earlier. */
async function runAndKill(
  home: string,
  afterMs: number,
  reader: string | undefined,
): Promise<KeptVectors | undefined> {
  const [program = "", ...args] = lectern;
  const child = spawn(program, [...args, "embed"], {
    env: { ...process.env, LECTERN_HOME: home },
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  await Promise.race([ended, sleep(afterMs)]);
  const visible =
    reader !== undefined && child.exitCode === null
      ? vectorsNow(reader, home)
      : { vectors: new Map() };
  child.kill("SIGKILL");
  const [code, signal] = await ended;
  if (signal === "SIGKILL") return visible;
  if (code !== 0) throw new Error(`embed exited with ${code} before it was killed.`);
  return undefined;
}

async function runSuccessfully(args: readonly string[], home: string): Promise<void> {
  mkdirSync(home, { recursive: true });
  const { code, stderr } = await runProgram(args, { home });
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${stderr}`);
}
