import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomNumbers } from "../../fixtures/random-numbers.ts";
import { runProgram, type Served, startServer } from "../../journeys/program.ts";
import type { Campaign, Round, RoundReport } from "../campaign.ts";
import { type HttpClient, httpClientAt, Refused } from "../http-client.ts";
import { killServer } from "../kill-server.ts";
import { damagedStores } from "../store-copies.ts";
import { inconsistentDecisions, notRequested, writes } from "./full-disk-writes.ts";
import { makeSmallDisk, noSmallDisk, type SmallDisk } from "./small-disk.ts";

/** One round per remainder: together they cover every number of blocks once. */
const rounds = 20;
const maxTurns = 60;

/** Fills the disk except for a number of blocks, different in each step, until a write fails. */
export const full: Campaign = {
  name: "full",
  unit: "disks that were full",
  counts: { ci: 50, default: 200, long: 500 },
  roundOf: 25,
  lanes: 2,
  skipReason: noSmallDisk,
  async round(round) {
    const disk = makeSmallDisk();
    const kept = mkdtempSync(join(tmpdir(), "lectern-kept-"));
    try {
      return await fillRepeatedly(disk, kept, round);
    } finally {
      disk.remove();
      rmSync(kept, { recursive: true, force: true });
    }
  },
};

async function fillRepeatedly(
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
  const { tool, asPerson } = httpClientAt(server.url);
  await tool("create_project", { path: "interviews.qda" });
  await tool("create_code", { name: "first", color: "#00AA00" });
  await asPerson("POST", "/collections/add", { path: join(home, "pages"), name: "pages" });
  await server.stop();
}

/** Acknowledged writes by kind, and refused ones. */
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
    let client = await openClient(server);
    disk.fill(blocks);
    for (let turn = 0; turn < maxTurns && ledger.refusals.length === 0; turn++) {
      await writeEach(client, home, `when full ${turn}`, ledger, random);
    }
    if (ledger.refusals.length === 0) losses.push("nothing was refused");
    losses.push(...ledger.refusals.filter((error) => !isClear(error)).map(reported));
    if (random() < 0.2) {
      await killServer(server);
      // It may succeed or be refused, but not crash or damage existing data.
      const { stderr } = await runProgram(["status"], { home });
      if (/\n\s+at |Internal error/.test(stderr)) losses.push(`status failed: ${stderr}`);
      disk.empty();
      server = await startServer(home);
      client = await openClient(server);
    }
    disk.empty();
    const refused = ledger.refusals.splice(0).length;
    await writeEach(client, home, "with room", ledger, random);
    losses.push(...ledger.refusals.map((error) => `despite free space: ${reported(error)}`));
    losses.push(...(await missing(client, ledger)), ...(await inconsistentDecisions(client)));
    await killServer(server);
    losses.push(...damagedStores(home));
    return { done: { disks: 1, acknowledged: ledger.kept.length, refused }, losses };
  } finally {
    await killServer(server);
    disk.empty();
  }
}

async function openClient({ url }: Served): Promise<HttpClient> {
  const client = httpClientAt(url);
  await client.tool("open_project", { path: "interviews.qda" });
  return client;
}

/** One write of each kind, starting with any of them. */
async function writeEach(
  client: HttpClient,
  home: string,
  name: string,
  ledger: Ledger,
  random: () => number,
): Promise<void> {
  const kinds = Object.keys(writes);
  const first = Math.floor(random() * kinds.length);
  for (const kind of [...kinds.slice(first), ...kinds.slice(0, first)]) {
    try {
      const answer = await writes[kind]?.act(client, name, home);
      if (answer !== notRequested) ledger.kept.push([kind, name]);
    } catch (error) {
      ledger.refusals.push(error);
    }
  }
}

/** A refusal names its reason. */
const isClear = (error: unknown): boolean =>
  error instanceof Refused && /full|space/i.test(error.message);

const reported = (error: unknown): string =>
  [String(error), (error as Error).cause ?? ""].join(" ").trim();

async function missing(client: HttpClient, { kept }: Ledger): Promise<string[]> {
  await client.asPerson("POST", "/update");
  const losses: string[] = [];
  for (const [kind, { found }] of Object.entries(writes)) {
    const there = new Set(await found(client));
    const gone = kept.filter(([entryKind, name]) => entryKind === kind && !there.has(name));
    if (gone.length > 0) losses.push(`${gone.length} ${kind} are gone: ${gone[0]?.[1]}`);
  }
  return losses;
}
