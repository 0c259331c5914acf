import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { randomNumbers } from "../fixtures/random-numbers.ts";
import { freshHome, startServer } from "../journeys/program.ts";
import type { Campaign, Round, RoundReport } from "./campaign.ts";
import { kill } from "./killing.ts";
import { approving } from "./kills-approving.ts";
import { coding } from "./kills-coding.ts";
import { embedding } from "./kills-embedding.ts";
import { importing } from "./kills-importing.ts";
import { indexing } from "./kills-indexing.ts";
import { damagedStores } from "./stores.ts";
import type { MakeVictim, Victim } from "./victim.ts";
import { Refused, type Visitor, visitorAt } from "./visitor.ts";

const victims: Record<string, MakeVictim> = { coding, approving, importing, indexing, embedding };

/** Kills the server while it works, and looks after each kill at what was acknowledged. */
export const kills: Campaign = {
  name: "kills",
  unit: "kills",
  counts: { ci: 500, usual: 500, long: 10_000 },
  roundOf: 25,
  lanes: 2,
  async round(round) {
    const names = Object.keys(victims);
    const kind = names[round.seed % names.length] ?? "coding";
    return killAgainAndAgain(victims[kind] ?? coding, kind, round);
  },
};

async function killAgainAndAgain(
  makeVictim: MakeVictim,
  kind: string,
  { seed, count }: Round,
): Promise<RoundReport> {
  const random = randomNumbers(seed);
  const home = freshHome();
  const victim = makeVictim(home, random);
  const losses: string[] = [];
  const done = { [kind]: count, acknowledged: 0 };
  let server = await startServer(home);
  try {
    await victim.prepare(visitorAt(server.url));
    // Whoever ends well leaves its compiled code, with which the next ones start in half the time.
    await server.stop();
    server = await startServer(home);
    losses.push(...(await victim.check(visitorAt(server.url))));
    const start = performance.now();
    await victim.act(visitorAt(server.url));
    const pace: Pace = { ms: performance.now() - start, acts: 1 };
    for (let number = 1; number <= count; number++) {
      const visitor = visitorAt(server.url);
      const working = untilGone(victim, visitor, pace);
      await Promise.race([sleep(random() * 3 * pace.ms), working]);
      await kill(server);
      const wrongs = [...(await working), ...damagedStores(home), ...(victim.look?.() ?? [])];
      server = await startServer(home);
      wrongs.push(...(await victim.check(visitorAt(server.url))));
      losses.push(...wrongs.map((wrong) => `${kind}, kill ${number}: ${wrong}`));
    }
    await server.stop();
    done.acknowledged = pace.acts;
    const wrongs = (await victim.conclude?.()) ?? [];
    losses.push(...wrongs.map((wrong) => `${kind}, in the end: ${wrong}`));
  } finally {
    await kill(server);
    await victim.close?.();
    rmSync(home, { recursive: true, force: true });
  }
  return { done, losses };
}

/** How long the work takes here and now, so that kills come in the middle of it on any machine. */
interface Pace {
  ms: number;
  acts: number;
}

/** A refusal is none of the answers that good work gets; a lost connection is what we wait for. */
async function untilGone(victim: Victim, visitor: Visitor, pace: Pace): Promise<string[]> {
  for (;;) {
    const start = performance.now();
    const took = () => performance.now() - start;
    try {
      await victim.act(visitor);
    } catch (error) {
      pace.ms = Math.max(pace.ms, took());
      return error instanceof Refused ? [error.message] : [];
    }
    pace.acts++;
    pace.ms += (took() - pace.ms) / 5;
  }
}
