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
import { differences, falseClaims, lost } from "./embedding-faults.ts";
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
export async function killEmbedding(trial: Trial): Promise<KillReport> {
  const place = freshHome();
  const folder = join(place, "documents");
  const killed = await killRepeatedly(place, folder, trial);
  await succeed(["embed"], killed.home);
  const fresh = join(place, "fresh");
  await succeed(["collection", "add", folder, "--name", "docs"], fresh);
  await succeed(["embed"], fresh);
  const end = killed.inspect();
  const faults = [
    ...killed.faults,
    ...end.contradictions,
    ...(end.needsEmbedding > 0 ? [`${end.needsEmbedding} documents still need vectors`] : []),
    ...falseClaims(killed.claims, end),
    ...differences(contentOf(killed.home), contentOf(fresh)),
  ];
  rmSync(place, { recursive: true, force: true });
  return {
    seed: trial.seed,
    kills: trial.kills,
    killsWhileEmbedding: killed.whileEmbedding,
    documents: end.documents,
    vectors: end.vectors.size,
    faults,
  };
}

async function killRepeatedly(place: string, folder: string, { kills, seed, onKill }: Trial) {
  const random = randomNumbers(seed);
  const home = join(place, "killed");
  const reader = createReaderProgram();
  const inspect = () => storeAfterKill(home, join(place, "copy"));
  const faults: string[] = [];
  // By the hash of a document reported as finished, the number of its chunks at that time.
  const claims = new Map<string, number>();
  // The vectors visible to others at the last check.
  let kept: KeptVectors = { vectors: new Map() };
  let whileEmbedding = 0;
  // The time until a run's first vectors, measured in one run for the next.
  let firstVectorsMs = 1_000;

  const documents = openGrowingFolder(folder, random);
  documents.write(200);
  await succeed(["collection", "add", folder, "--name", "docs"], home);
  let before = inspect();
  for (let made = 0; made < kills; ) {
    if (before.needsEmbedding < 60) {
      documents.write(80);
      await succeed(["update"], home);
    }
    const isEarly = random() < 0.2;
    const share = random();
    const afterMs = isEarly ? share * firstVectorsMs : firstVectorsMs + share * 300;
    const seen = await runAndKill(home, afterMs, isEarly ? undefined : reader);
    const after = inspect();
    const hasBegun = after.vectors.size > before.vectors.size;
    if (!isEarly) firstVectorsMs *= seen ? (hasBegun ? 0.95 : 1.3) : 0.7;
    if (seen) {
      made++;
      if (hasBegun) whileEmbedding++;
      if (seen.vectors.size > 0) kept = seen;
      onKill?.(made);
    }
    const found = [...after.contradictions, ...lost(kept, after)];
    faults.push(...found.map((fault) => `after kill ${made}: ${fault}`));
    for (const [hash, chunks] of after.finished) claims.set(hash, chunks);
    before = after;
  }
  return { home, inspect, faults, claims, whileEmbedding };
}

/** The vectors stored just before the kill; undefined if the program finished earlier. */
async function runAndKill(
  home: string,
  afterMs: number,
  reader: string | undefined,
): Promise<KeptVectors | undefined> {
  const [program = "", ...words] = lectern;
  const child = spawn(program, [...words, "embed"], {
    env: { ...process.env, LECTERN_HOME: home },
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  await Promise.race([ended, sleep(afterMs)]);
  const seen =
    reader !== undefined && child.exitCode === null
      ? vectorsNow(reader, home)
      : { vectors: new Map() };
  child.kill("SIGKILL");
  const [code, signal] = await ended;
  if (signal === "SIGKILL") return seen;
  if (code !== 0) throw new Error(`embed exited with ${code} before it was killed.`);
  return undefined;
}

async function succeed(words: readonly string[], home: string): Promise<void> {
  mkdirSync(home, { recursive: true });
  const { code, stderr } = await runProgram(words, { home });
  if (code !== 0) throw new Error(`${words.join(" ")} ended with ${code}: ${stderr}`);
}
