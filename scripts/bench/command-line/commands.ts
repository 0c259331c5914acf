import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Contestant, lectern, runMeasured, runTimed } from "../contestant.ts";
import { pages, queriesFrom, writeCopy } from "../corpus.ts";
import { median, quantile } from "../home.ts";
import { ms, type Section, table, times } from "../page.ts";
import { installPeer, newerNode, peer, peerName } from "../peer.ts";
import { openSession } from "../stdio.ts";

const title = "Command line";
const withServer = "`search`, with a running server";

/** The required ratio of the peer's time to that of a search with a running server. */
const neededRatio = 2;

/** `search` on the command line, at two sizes: with and without a server, and the peer. */
export async function measureCommands(tempFolder: string, quick: boolean): Promise<Section> {
  const skipped = (text: string): Section => ({
    title,
    text: `Skipped: ${text}`,
    targets: [targetOf(undefined)],
  });
  if (!pages) return skipped("the documentation pages are not available.");
  const packages = await installPeer().catch(({ message }: Error) => ({ message }));
  if (typeof packages !== "string") return skipped(packages.message);
  const node = newerNode(packages);
  if (!node) return skipped(`${peerName} needs Node 24, which is not installed.`);
  const folder = join(tempFolder, "command-pages");
  const queries = queriesFrom(pages, 48);
  const rounds = quick ? 5 : 21;
  const rows: string[][] = [];
  const ratios: number[] = [];
  let copies = 0;
  let documents = 0;
  for (const size of quick ? [1] : [1, 16]) {
    while (copies < size) documents += writeCopy(pages, folder, copies++);
    const pathOf = (name: string): string => join(tempFolder, `commands-${size}-${name}`);
    const theirs = peer(pathOf("peer"), node, packages, "bin/qmd");
    const waits = await measureSize(
      { local: lectern(pathOf("local")), served: lectern(pathOf("served")), theirs },
      folder,
      queries,
      rounds,
    );
    const limit = median(waits.get("`node -e 0`") ?? []);
    const slowest = median(waits.get(peerName) ?? []);
    ratios.push(slowest / median(waits.get(withServer) ?? []));
    for (const [name, all] of waits) {
      const middle = median(all);
      const spread = `${ms(quantile(all, 0.1))} to ${ms(quantile(all, 0.9))}`;
      rows.push([
        `${documents}`,
        name,
        ms(middle),
        spread,
        times(middle / limit),
        times(slowest / middle),
      ]);
    }
  }
  const head = ["documents", "command", "median", "10 % to 90 %", "relative to `node -e 0`"];
  return {
    title,
    text: `Keyword search with ${rounds} alternating runs of each command. \`node -e 0\` is the limit: the start of Node. The
last column is the time of ${peerName} divided by that of the command.

${table([...head, "compared with the peer"], rows)}`,
    targets: [targetOf(Math.min(...ratios))],
  };
}

interface Contestants {
  local: Contestant;
  served: Contestant;
  theirs: Contestant;
}

/** The times of each command in milliseconds. */
async function measureSize(
  { local, served, theirs }: Contestants,
  folder: string,
  queries: readonly string[],
  rounds: number,
): Promise<Map<string, number[]>> {
  for (const contestant of [local, served, theirs]) {
    mkdirSync(contestant.home, { recursive: true });
    await runMeasured(contestant, contestant.index(folder));
  }
  const session = await openSession(served);
  await untilExists(join(served.home, "commands.sock"));
  const search = (contestant: Contestant) => (query: string) =>
    runTimed(contestant, contestant.search(query));
  const bareNode: Contestant = { ...local, command: [process.execPath, "-e"] };
  const commands: [string, (query: string) => Promise<number>][] = [
    ["`node -e 0`", () => runTimed(bareNode, ["0"])],
    ["`lectern --version`", () => runTimed(local, ["--version"])],
    [withServer, search(served)],
    ["`search`, without a server", search(local)],
    [peerName, search(theirs)],
  ];
  const waits = new Map<string, number[]>(commands.map(([name]) => [name, []]));
  // The first round is a warm-up: the server starts to track the folders.
  for (let round = 0; round <= rounds; round++) {
    for (const [name, run] of commands) {
      const wait = await run(queries[round % queries.length] ?? "");
      if (round > 0) waits.get(name)?.push(wait);
    }
  }
  await session.close();
  return waits;
}

/** A server creates its socket after it has answered the first request. */
async function untilExists(path: string): Promise<void> {
  while (!existsSync(path)) await new Promise((resolve) => setTimeout(resolve, 20));
}

const targetOf = (ratio: number | undefined) => ({
  name: `${withServer}, compared with qmd at every size`,
  required: `at least ${neededRatio} times faster`,
  measured: ratio === undefined ? undefined : { figure: times(ratio), isMet: ratio >= neededRatio },
});
