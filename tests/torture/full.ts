import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomNumbers } from "../fixtures/random-numbers.ts";
import { runProgram, type Served, startServer } from "../journeys/program.ts";
import type { Campaign, Round, RoundReport } from "./campaign.ts";
import { halfDecided, notAsked, writes } from "./full-writes.ts";
import { kill } from "./killing.ts";
import { makeSmallDisk, noSmallDisk, type SmallDisk } from "./small-disk.ts";
import { damagedStores } from "./stores.ts";
import { Refused, type Visitor, visitorAt } from "./visitor.ts";

/** As many rounds as there are remainders: together they have every number of blocks, once. */
const rounds = 20;
const mostTurns = 60;

/** A disk that is full after so many blocks, another number in each step: the next write is refused. */
export const full: Campaign = {
  name: "full",
  unit: "disks that were full",
  counts: { ci: 50, usual: 200, long: 500 },
  roundOf: 25,
  lanes: 2,
  leftOut: noSmallDisk,
  async round(round) {
    const disk = makeSmallDisk();
    const kept = mkdtempSync(join(tmpdir(), "lectern-kept-"));
    try {
      return await fillAgainAndAgain(disk, kept, round);
    } finally {
      disk.remove();
      rmSync(kept, { recursive: true, force: true });
    }
  },
};

async function fillAgainAndAgain(
  disk: SmallDisk,
  kept: string,
  { seed, count }: Round,
): Promise<RoundReport> {
  const random = randomNumbers(seed);
  const home = join(disk.path, "home");
  const report: RoundReport = { done: {}, losses: [] };
  await prepare(home);
  cpSync(home, kept, { recursive: true, preserveTimestamps: true });
  for (let step = 0; step < count; step++) {
    const blocks = (seed % rounds) + step * rounds;
    const { losses, done } = await fillOnce(disk, home, blocks, random);
    report.losses.push(...losses.map((loss) => `with ${blocks} blocks free: ${loss}`));
    for (const [kind, times] of Object.entries(done)) {
      report.done[kind] = (report.done[kind] ?? 0) + times;
    }
    rmSync(home, { recursive: true, force: true });
    cpSync(kept, home, { recursive: true, preserveTimestamps: true });
  }
  return report;
}

async function prepare(home: string): Promise<void> {
  mkdirSync(join(home, "pages"), { recursive: true });
  const server = await startServer(home);
  const { tool, asPerson } = visitorAt(server.url);
  await tool("create_project", { path: "interviews.qda" });
  await tool("create_code", { name: "first", color: "#00AA00" });
  await asPerson("POST", "/collections/add", { path: join(home, "pages"), name: "pages" });
  await server.stop();
}

/** What was acknowledged, by its kind, and what was refused. */
interface Ledger {
  kept: [kind: string, name: string][];
  refusals: unknown[];
}

async function fillOnce(
  disk: SmallDisk,
  home: string,
  blocks: number,
  random: () => number,
): Promise<RoundReport> {
  const ledger: Ledger = { kept: [], refusals: [] };
  const losses: string[] = [];
  let server = await startServer(home);
  try {
    let visitor = await visiting(server);
    disk.fill(blocks);
    for (let turn = 0; turn < mostTurns && ledger.refusals.length === 0; turn++) {
      await writeEach(visitor, home, `when full ${turn}`, ledger, random);
    }
    if (ledger.refusals.length === 0) losses.push("nothing was refused");
    losses.push(...ledger.refusals.filter((error) => !isClear(error)).map(told));
    if (random() < 0.2) {
      await kill(server);
      // It may be served or refused; what it must not do is break, or hurt what is there.
      const { stderr } = await runProgram(["status"], { home });
      if (/\n\s+at |Internal error/.test(stderr)) losses.push(`status broke: ${stderr}`);
      disk.empty();
      server = await startServer(home);
      visitor = await visiting(server);
    }
    disk.empty();
    const refused = ledger.refusals.splice(0).length;
    await writeEach(visitor, home, "with room", ledger, random);
    losses.push(...ledger.refusals.map((error) => `although there is room, ${told(error)}`));
    losses.push(...(await missing(visitor, ledger)), ...(await halfDecided(visitor)));
    await kill(server);
    losses.push(...damagedStores(home));
    return { done: { disks: 1, acknowledged: ledger.kept.length, refused }, losses };
  } finally {
    await kill(server);
    disk.empty();
  }
}

async function visiting({ url }: Served): Promise<Visitor> {
  const visitor = visitorAt(url);
  await visitor.tool("open_project", { path: "interviews.qda" });
  return visitor;
}

/** One write of each kind, beginning with any of them. */
async function writeEach(
  visitor: Visitor,
  home: string,
  name: string,
  ledger: Ledger,
  random: () => number,
): Promise<void> {
  const kinds = Object.keys(writes);
  const first = Math.floor(random() * kinds.length);
  for (const kind of [...kinds.slice(first), ...kinds.slice(0, first)]) {
    try {
      const answer = await writes[kind]?.act(visitor, name, home);
      if (answer !== notAsked) ledger.kept.push([kind, name]);
    } catch (error) {
      ledger.refusals.push(error);
    }
  }
}

/** A refusal names its reason. */
const isClear = (error: unknown): boolean =>
  error instanceof Refused && /full|space/i.test(error.message);

const told = (error: unknown): string =>
  [String(error), (error as Error).cause ?? ""].join(" ").trim();

async function missing(visitor: Visitor, { kept }: Ledger): Promise<string[]> {
  await visitor.asPerson("POST", "/update");
  const losses: string[] = [];
  for (const [kind, { found }] of Object.entries(writes)) {
    const there = new Set(await found(visitor));
    const gone = kept.filter(([its, name]) => its === kind && !there.has(name));
    if (gone.length > 0) losses.push(`${gone.length} ${kind} are gone: ${gone[0]?.[1]}`);
  }
  return losses;
}
