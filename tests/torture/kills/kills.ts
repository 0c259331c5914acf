import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { randomNumbers } from "../../fixtures/random-numbers.ts";
import { freshHome, startServer } from "../../journeys/program.ts";
import type { Campaign, Round, RoundReport } from "../campaign.ts";
import { type HttpClient, httpClientAt, Refused } from "../http-client.ts";
import { killServer } from "../kill-server.ts";
import { damagedStores } from "../store-copies.ts";
import { approvals } from "./approvals.ts";
import { codings } from "./codings.ts";
import { imports } from "./imports.ts";
import { indexedPages } from "./indexed-pages.ts";
import type { CreateKillWorkload, KillWorkload } from "./kill-workload.ts";
import { vectors } from "./vectors.ts";

const workloads: Record<string, CreateKillWorkload> = {
  codings,
  approvals,
  imports,
  indexedPages,
  vectors,
};

/** Kills the server while it works, and verifies acknowledged work after each kill. */
export const kills: Campaign = {
  name: "kills",
  unit: "kills",
  counts: { ci: 500, default: 500, long: 10_000 },
  roundOf: 25,
  concurrency: 2,
  async round(round) {
    const names = Object.keys(workloads);
    const kind = names[round.seed % names.length] ?? "codings";
    return killRepeatedly(workloads[kind] ?? codings, kind, round);
  },
};

async function killRepeatedly(
  createWorkload: CreateKillWorkload,
  kind: string,
  { seed, count }: Round,
): Promise<RoundReport> {
  const random = randomNumbers(seed);
  const home = freshHome();
  const workload = createWorkload(home, random);
  const losses: string[] = [];
  const done = { [kind]: count, acknowledged: 0 };
  let server = await startServer(home);
  try {
    await workload.prepare(httpClientAt(server.url));
    // A process that exits normally writes the compile cache, which halves later start times.
    await server.stop();
    server = await startServer(home);
    losses.push(...(await workload.check(httpClientAt(server.url))));
    const start = performance.now();
    await workload.step(httpClientAt(server.url));
    const pace: Pace = { ms: performance.now() - start, steps: 1 };
    for (let number = 1; number <= count; number++) {
      const client = httpClientAt(server.url);
      const working = workUntilKilled(workload, client, pace);
      await Promise.race([sleep(random() * 3 * pace.ms), working]);
      await killServer(server);
      const stepLosses = [
        ...(await working),
        ...damagedStores(home),
        ...(workload.inspect?.() ?? []),
      ];
      server = await startServer(home);
      stepLosses.push(...(await workload.check(httpClientAt(server.url))));
      losses.push(...stepLosses.map((loss) => `${kind}, kill ${number}: ${loss}`));
    }
    await server.stop();
    done.acknowledged = pace.steps;
    const stepLosses = (await workload.finish?.()) ?? [];
    losses.push(...stepLosses.map((loss) => `${kind}, in the end: ${loss}`));
  } finally {
    await killServer(server);
    await workload.close?.();
    rmSync(home, { recursive: true, force: true });
  }
  return { done, losses };
}

/** The duration of the work on this machine, so that kills happen in the middle of it. */
interface Pace {
  ms: number;
  steps: number;
}

/** Works until the connection is lost. A refusal is an error. */
async function workUntilKilled(
  workload: KillWorkload,
  client: HttpClient,
  pace: Pace,
): Promise<string[]> {
  for (;;) {
    const start = performance.now();
    const workDuration = () => performance.now() - start;
    try {
      await workload.step(client);
    } catch (error) {
      pace.ms = Math.max(pace.ms, workDuration());
      return error instanceof Refused ? [error.message] : [];
    }
    pace.steps++;
    pace.ms += (workDuration() - pace.ms) / 5;
  }
}
