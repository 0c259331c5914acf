import { once } from "node:events";
import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { randomNumbers } from "../fixtures/random-numbers.ts";
import { freshHome, startServer } from "../journeys/program.ts";
import { killEmbedding } from "../programs/embed-kills.ts";
import type { Campaign, Round, RoundReport } from "./campaign.ts";
import { approving } from "./kills-approving.ts";
import { coding } from "./kills-coding.ts";
import { importing } from "./kills-importing.ts";
import { indexing } from "./kills-indexing.ts";
import { damagedStores } from "./stores.ts";
import type { MakeVictim, Victim } from "./victim.ts";
import { Refused, type Visitor, visitorAt } from "./visitor.ts";

const victims: Record<string, MakeVictim> = { coding, approving, importing, indexing };

/** Embedding takes the longest for one kill, so it comes seldom. */
const kinds = [
  "coding",
  "approving",
  "importing",
  "indexing",
  "embedding",
  "coding",
  "approving",
  "importing",
  "indexing",
  "approving",
];

/** Kills the server while it works, and looks after each kill at what was acknowledged. */
export const kills: Campaign = {
  name: "kills",
  unit: "kills",
  counts: { ci: 500, usual: 250, long: 10_000 },
  roundOf: 25,
  lanes: 2,
  async round({ seed, count, scale }) {
    const kind = kinds[seed % kinds.length] ?? "coding";
    const makeVictim = victims[kind];
    if (makeVictim) return killAgainAndAgain(makeVictim, kind, { seed, count, scale });
    const { kills: made, faults } = await killEmbedding({ kills: count, seed });
    return { done: { [kind]: made }, losses: faults };
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
  try {
    let server = await startServer(home);
    await victim.prepare(visitorAt(server.url));
    for (let kill = 1; kill <= count; kill++) {
      const visitor = visitorAt(server.url);
      const ended = once(server.child, "exit");
      const working = untilGone(victim, visitor);
      await Promise.race([sleep(random() * victim.withinMs), working]);
      server.child.kill("SIGKILL");
      await ended;
      const wrongs = [...(await working), ...damagedStores(home)];
      server = await startServer(home);
      wrongs.push(...(await victim.check(visitorAt(server.url))));
      losses.push(...wrongs.map((wrong) => `${kind}, kill ${kill}: ${wrong}`));
    }
    await server.stop();
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
  return { done: { [kind]: count }, losses };
}

/** A refusal is none of the answers that good work gets; a lost connection is what we wait for. */
async function untilGone(victim: Victim, visitor: Visitor): Promise<string[]> {
  try {
    for (;;) await victim.act(visitor);
  } catch (error) {
    return error instanceof Refused ? [error.message] : [];
  }
}
