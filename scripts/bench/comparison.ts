import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Contestant, lectern, type Run, runMeasured, runTimed } from "./contestant.ts";
import { pages, queriesFrom } from "./corpus.ts";
import { at, median } from "./home.ts";
import { type Demand, megabytes, ms, type Section, table, times } from "./page.ts";
import { installPeer, newerNode, peer, peerName } from "./peer.ts";
import { bars } from "./plot.ts";
import { openSession } from "./stdio.ts";
import { openUsage } from "./usage.ts";

/** How often each thing is done. */
export interface Rounds {
  index: number;
  update: number;
  search: number;
  calls: number;
}

/** The first two are ours, on two versions of Node; the last is the peer. */
type Trio<Value> = [Value, Value, Value];

/** Lectern and a program of the same kind, in turn, on the same pages and with the same queries. */
export async function comparePeer(place: string, rounds: Rounds): Promise<Section> {
  const title = `Side by side with ${peerName}`;
  const field = await openField(place);
  if (typeof field === "string") {
    const nothing = Object.keys(needed).map((what) => demandOf(what, undefined));
    return { title, text: `Left out: ${field}`, demands: nothing };
  }
  const { folder, all, bare } = field;
  const queries = queriesFrom(folder, 48);
  const indexed = await inTurn(all, rounds.index, (contestant) => {
    rmSync(contestant.home, { recursive: true, force: true });
    mkdirSync(contestant.home, { recursive: true });
    return runMeasured(contestant, contestant.index(folder));
  });
  const updated = await inTurn(all, rounds.update, (it) => runMeasured(it, it.update));
  const searched = await inTurn([...all, bare], rounds.search, (it, round) =>
    runTimed(it, it.search(queries[round % queries.length] ?? "")),
  );
  const called = await callInTurn(all, queries, rounds.calls);

  const wall = (runs: Run[]) => median(runs.map((run) => run.wall));
  const cpu = (runs: Run[]) => median(runs.map((run) => run.cpu));
  const peak = (runs: Run[]) => median(runs.map((run) => run.peak));
  const measures: [string, (value: number) => string, Trio<number>][] = [
    ["cold index", ms, trio(indexed, wall)],
    ["cold index, time of processors", ms, trio(indexed, cpu)],
    ["cold index, peak memory", megabytes, trio(indexed, peak)],
    ["`update` with nothing changed", ms, trio(updated, wall)],
    ["`update`, peak memory", megabytes, trio(updated, peak)],
    ["`search` at the command line", ms, trio(searched, median)],
    ["search over MCP, p50", ms, trio(called, ({ waits }) => median(waits))],
    ["search over MCP, p95", ms, trio(called, ({ waits }) => at(waits, 0.95))],
    ["server after these, peak memory", megabytes, trio(called, (server) => server.peak)],
  ];
  const ratios = new Map(measures.map(([what, , [ours, , theirs]]) => [what, theirs / ours]));
  const rows = measures.map(([what, shown, values]) => [
    what,
    times(ratios.get(what) ?? Number.NaN),
    ...values.map(shown),
  ]);
  const answered = called.map(({ empty }) => queries.length - empty.size);
  const head = ["what", "times better", ...all.map(({ name }) => name)];
  return {
    title,
    text: `The peer runs on Node 24, without models: keyword search, no reranking. Each line was measured in
turn: index ${rounds.index} times, update ${rounds.update}, command line ${rounds.search}, and ${queries.length} queries of one to six
words that follow one another in the pages, ${rounds.calls} times over MCP. Memory is that of the largest
process; the peer's second process is left out of it, but not out of the time.

${table(head, rows)}

Without its second process, a search of the peer at the command line takes ${ms(median(searched[3] ?? []))}.
Of the ${queries.length} queries, ${all.map(({ name }, place) => `${name} answered ${answered[place]}`).join(", ")}.`,
    demands: Object.keys(needed).map((what) => demandOf(what, ratios.get(what))),
    plots: [
      bars(
        "side-by-side",
        `How many times better than ${peerName}`,
        [...ratios].map(([what, ratio]) => ({
          label: what.replaceAll("`", ""),
          value: ratio,
          shown: times(ratio),
        })),
      ),
    ],
  };
}

/** How many times better than the peer we are asked to be. */
const needed: Record<string, number> = {
  "cold index": 5,
  "search over MCP, p50": 10,
  "`search` at the command line": 2,
  "`update` with nothing changed": 5,
  "cold index, peak memory": 1,
  "server after these, peak memory": 1,
};

function demandOf(what: string, ratio: number | undefined): Demand {
  const least = needed[what] ?? 1;
  return {
    what: `${what}, against the peer`,
    needed: least > 1 ? `at least ${least} times faster` : "lower",
    measured:
      ratio === undefined
        ? undefined
        : { figure: times(ratio), isReached: least > 1 ? ratio >= least : ratio > 1 },
  };
}

/** Everything that takes part, or the reason why nothing can. */
async function openField(place: string) {
  if (!pages) return "the pages do not lie beside this repository.";
  const packages = await installPeer().catch(({ message }: Error) => ({ message }));
  if (typeof packages !== "string") return packages.message;
  const node = newerNode(packages);
  if (!node) return `${peerName} needs Node 24, and there is none.`;
  const theirHome = join(place, "peer");
  const all: Trio<Contestant> = [
    lectern(join(place, "ours")),
    lectern(join(place, "ours-24"), node),
    peer(theirHome, node, packages, "bin/qmd"),
  ];
  return { folder: pages, all, bare: peer(theirHome, node, packages, "dist/cli/qmd.js") };
}

/** A busy moment of the machine falls on all alike. */
async function inTurn<Result>(
  contestants: readonly Contestant[],
  rounds: number,
  run: (contestant: Contestant, round: number) => Promise<Result>,
): Promise<Result[][]> {
  const results: Result[][] = contestants.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [place, contestant] of contestants.entries()) {
      results[place]?.push(await run(contestant, round));
    }
  }
  return results;
}

interface Server {
  waits: number[];
  /** Queries that found nothing. */
  empty: Set<string>;
  peak: number;
}

async function callInTurn(contestants: Contestant[], queries: string[], rounds: number) {
  const servers = await Promise.all(
    contestants.map(async (contestant) => {
      const usage = openUsage(contestant.env);
      const session = await openSession(contestant, usage.env);
      return { usage, session, waits: [] as number[], empty: new Set<string>() };
    }),
  );
  for (let round = 0; round <= rounds; round++) {
    for (const query of queries) {
      for (const { session, waits, empty } of servers) {
        const began = performance.now();
        const hits = await session.search(query);
        // The first round warms up.
        if (round > 0) waits.push(performance.now() - began);
        if (hits === 0) empty.add(query);
      }
    }
  }
  return Promise.all(
    servers.map(async ({ usage, session, waits, empty }): Promise<Server> => {
      await session.close();
      return { waits, empty, peak: usage.read().peak };
    }),
  );
}

function trio<Result>(results: readonly Result[], figure: (result: Result) => number) {
  const [ours, newer, theirs] = results.map(figure);
  return [ours ?? Number.NaN, newer ?? Number.NaN, theirs ?? Number.NaN] satisfies Trio<number>;
}
