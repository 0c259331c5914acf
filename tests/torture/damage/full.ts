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
const maxAttempts = 60;

/** Fills the disk except for a number of blocks, different in each step, until a write fails. */
export const full: Campaign = {
  name: "full",
  unit: "full disks",
  counts: { ci: 50, default: 200, long: 500 },
  roundOf: 25,
  concurrency: 2,
  skipReason: noSmallDisk,
  async round(round) {
    const disk = makeSmallDisk();
    const acknowledged = mkdtempSync(join(tmpdir(), "lectern-kept-"));
    try {
      return await fillRepeatedly(disk, acknowledged, round);
    } finally {
      disk.remove();
      rmSync(acknowledged, { recursive: true, force: true });
    }
  },
};

async function fillRepeatedly(
  disk: SmallDisk,
  acknowledged: string,
  { seed, count }: Round,
): Promise<RoundReport> {
  const random = randomNumbers(seed);
  const home = join(disk.path, "home");
  const report: RoundReport = { done: {}, losses: [] };
  await prepare(home);
  cpSync(home, acknowledged, { recursive: true, preserveTimestamps: true });
  for (let step = 0; step < count; step++) {
    const blocks = (seed % rounds) + step * rounds;
    const { losses, done } = await fillOnce(disk, home, blocks, random);
    report.losses.push(...losses.map((loss) => `with ${blocks} blocks free: ${loss}`));
    for (const [kind, times] of Object.entries(done)) {
      report.done[kind] = (report.done[kind] ?? 0) + times;
    }
    rmSync(home, { recursive: true, force: true });
    cpSync(acknowledged, home, { recursive: true, preserveTimestamps: true });
  }
  return report;
}

async function prepare(home: string): Promise<void> {
  mkdirSync(join(home, "pages"), { recursive: true });
  const server = await startServer(home);
  const { callTool, callAsPerson } = httpClientAt(server.url);
  await callTool("create_project", { path: "interviews.qda" });
  await callTool("create_code", { name: "first", color: "#00AA00" });
  await callAsPerson("POST", "/collections/add", { path: join(home, "pages"), name: "pages" });
  await server.stop();
}

/** Acknowledged writes by kind, and refused ones. */
interface Ledger {
  acknowledged: [kind: string, name: string][];
  refusals: unknown[];
}

async function fillOnce(
  disk: SmallDisk,
  home: string,
  blocks: number,
  random: () => number,
): Promise<RoundReport> {
  const ledger: Ledger = { acknowledged: [], refusals: [] };
  const losses: string[] = [];
  let server = await startServer(home);
  try {
    let client = await openClient(server);
    disk.fill(blocks);
    for (let attempt = 0; attempt < maxAttempts && ledger.refusals.length === 0; attempt++) {
      await writeEach(client, home, `when full ${attempt}`, ledger, random);
    }
    if (ledger.refusals.length === 0) losses.push("nothing was refused");
    losses.push(...ledger.refusals.filter((error) => !namesReason(error)).map(messageOf));
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
    const refusedCount = ledger.refusals.splice(0).length;
    await writeEach(client, home, "with room", ledger, random);
    losses.push(...ledger.refusals.map((error) => `despite free space: ${messageOf(error)}`));
    losses.push(...(await missing(client, ledger)), ...(await inconsistentDecisions(client)));
    await killServer(server);
    losses.push(...damagedStores(home));
    return {
      done: { disks: 1, acknowledged: ledger.acknowledged.length, refused: refusedCount },
      losses,
    };
  } finally {
    await killServer(server);
    disk.empty();
  }
}

async function openClient({ url }: Served): Promise<HttpClient> {
  const client = httpClientAt(url);
  await client.callTool("open_project", { path: "interviews.qda" });
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
      const answer = await writes[kind]?.write(client, name, home);
      if (answer !== notRequested) ledger.acknowledged.push([kind, name]);
    } catch (error) {
      ledger.refusals.push(error);
    }
  }
}

/** A refusal names its reason. */
const namesReason = (error: unknown): boolean =>
  error instanceof Refused && /full|space/i.test(error.message);

const messageOf = (error: unknown): string =>
  [String(error), (error as Error).cause ?? ""].join(" ").trim();

async function missing(client: HttpClient, { acknowledged }: Ledger): Promise<string[]> {
  await client.callAsPerson("POST", "/update");
  const losses: string[] = [];
  for (const [kind, { list }] of Object.entries(writes)) {
    const present = new Set(await list(client));
    const lost = acknowledged.filter(
      ([entryKind, name]) => entryKind === kind && !present.has(name),
    );
    if (lost.length > 0) losses.push(`${lost.length} ${kind} are gone: ${lost[0]?.[1]}`);
  }
  return losses;
}
