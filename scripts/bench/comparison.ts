import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Contestant, lectern, type Run, runMeasured, runTimed } from "./contestant.ts";
import { pages, queriesFrom } from "./corpus.ts";
import { median, quantile } from "./home.ts";
import { megabytes, ms, type Section, type Target, table, times } from "./page.ts";
import { installPeer, newerNode, peer, peerName } from "./peer.ts";
import { bars } from "./plot.ts";
import { openSession } from "./stdio.ts";
import { openUsage } from "./usage.ts";

/** The number of repetitions of each measurement. */
export interface Rounds {
  index: number;
  update: number;
  search: number;
  calls: number;
}

/** Lectern on two versions of Node, and the peer. */
type Trio<Value> = [Value, Value, Value];

/** Compares Lectern with a similar program, alternately, on the same pages and queries. */
export async function comparePeer(tempFolder: string, rounds: Rounds): Promise<Section> {
  const title = `Comparison with ${peerName}`;
  const setup = await prepareComparison(tempFolder);
  if (typeof setup === "string") {
    const unmeasured = Object.keys(requiredRatios).map((name) => targetOf(name, undefined));
    return { title, text: `Skipped: ${setup}`, targets: unmeasured };
  }
  const { folder, all, bare } = setup;
  const queries = queriesFrom(folder, 48);
  const indexed = await alternate(all, rounds.index, (contestant) => {
    rmSync(contestant.home, { recursive: true, force: true });
    mkdirSync(contestant.home, { recursive: true });
    return runMeasured(contestant, contestant.index(folder));
  });
  const updated = await alternate(all, rounds.update, (it) => runMeasured(it, it.update));
  const searched = await alternate([...all, bare], rounds.search, (it, round) =>
    runTimed(it, it.search(queries[round % queries.length] ?? "")),
  );
  const called = await callAlternately(all, queries, rounds.calls);

  const wallTime = (runs: Run[]) => median(runs.map((run) => run.wallTime));
  const cpu = (runs: Run[]) => median(runs.map((run) => run.cpu));
  const peak = (runs: Run[]) => median(runs.map((run) => run.peak));
  const measures: [string, (value: number) => string, Trio<number>][] = [
    ["cold index", ms, trio(indexed, wallTime)],
    ["cold index, CPU time", ms, trio(indexed, cpu)],
    ["cold index, peak memory", megabytes, trio(indexed, peak)],
    ["`update` without changes", ms, trio(updated, wallTime)],
    ["`update`, peak memory", megabytes, trio(updated, peak)],
    ["`search` on the command line", ms, trio(searched, median)],
    ["search over MCP, p50", ms, trio(called, ({ waits }) => median(waits))],
    ["search over MCP, p95", ms, trio(called, ({ waits }) => quantile(waits, 0.95))],
    ["server, peak memory", megabytes, trio(called, (server) => server.peak)],
  ];
  const ratios = new Map(measures.map(([name, , [ours, , theirs]]) => [name, theirs / ours]));
  const rows = measures.map(([name, shown, values]) => [
    name,
    times(ratios.get(name) ?? Number.NaN),
    ...values.map(shown),
  ]);
  const answered = called.map(({ empty }) => queries.length - empty.size);
  const head = ["metric", "ratio", ...all.map(({ name }) => name)];
  return {
    title,
    text: `Ratio: the peer's figure divided by Lectern's; above 1, Lectern is better. The peer runs on Node 24,
without models: keyword search, no reranking. The programs were measured alternately: ${rounds.index} times for the
index, ${rounds.update} for updates, ${rounds.search} for the command line, and ${rounds.calls} times ${queries.length} queries over MCP, each of one to
six consecutive words of a page. Memory is that of the largest process. The peer starts a second process, which
counts in the time but not in the memory.

${table(head, rows)}

Without its second process, a search of the peer on the command line takes ${ms(median(searched[3] ?? []))}.
Queries with results, of ${queries.length}: ${all.map(({ name }, index) => `${name} ${answered[index]}`).join(", ")}.`,
    targets: Object.keys(requiredRatios).map((name) => targetOf(name, ratios.get(name))),
    plots: [
      bars(
        "side-by-side",
        `${peerName} relative to Lectern (above 1: Lectern is better)`,
        [...ratios].map(([name, ratio]) => ({
          label: name.replaceAll("`", ""),
          value: ratio,
          shown: times(ratio),
        })),
      ),
    ],
  };
}

/** The required ratios to the peer. */
const requiredRatios: Record<string, number> = {
  "cold index": 5,
  "search over MCP, p50": 10,
  "`search` on the command line": 2,
  "`update` without changes": 5,
  "cold index, peak memory": 1,
  "server, peak memory": 1,
};

function targetOf(name: string, ratio: number | undefined): Target {
  const required = requiredRatios[name] ?? 1;
  return {
    name: `${name}, compared with qmd`,
    required: required > 1 ? `at least ${required} times faster` : "lower",
    measured:
      ratio === undefined
        ? undefined
        : { figure: times(ratio), isMet: required > 1 ? ratio >= required : ratio > 1 },
  };
}

/** The programs to compare, or the reason why the comparison is skipped. */
async function prepareComparison(tempFolder: string) {
  if (!pages) return "the documentation pages are not available.";
  const packages = await installPeer().catch(({ message }: Error) => ({ message }));
  if (typeof packages !== "string") return packages.message;
  const node = newerNode(packages);
  if (!node) return `${peerName} needs Node 24, which is not installed.`;
  const peerHome = join(tempFolder, "peer");
  const all: Trio<Contestant> = [
    lectern(join(tempFolder, "ours")),
    lectern(join(tempFolder, "ours-24"), node),
    peer(peerHome, node, packages, "bin/qmd"),
  ];
  return { folder: pages, all, bare: peer(peerHome, node, packages, "dist/cli/qmd.js") };
}

/** Alternates between the programs, so that a busy machine affects all equally. */
async function alternate<Result>(
  contestants: readonly Contestant[],
  rounds: number,
  run: (contestant: Contestant, round: number) => Promise<Result>,
): Promise<Result[][]> {
  const results: Result[][] = contestants.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, contestant] of contestants.entries()) {
      results[index]?.push(await run(contestant, round));
    }
  }
  return results;
}

interface Server {
  waits: number[];
  /** Queries without results. */
  empty: Set<string>;
  peak: number;
}

async function callAlternately(contestants: Contestant[], queries: string[], rounds: number) {
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
        const started = performance.now();
        const hits = await session.search(query);
        // The first round is a warm-up.
        if (round > 0) waits.push(performance.now() - started);
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
