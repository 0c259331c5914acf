import { execFileSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomNumbers } from "../fixtures/random-numbers.ts";
import { runProgram, type Served, startServer } from "../journeys/program.ts";
import type { Campaign, Round, RoundReport } from "./campaign.ts";
import { damagedStores } from "./stores.ts";
import { Refused, type Visitor, visitorAt } from "./visitor.ts";

const block = 4_096;
const size = "48m";
const mostTurns = 60;

/** A disk that is full after so many blocks, one more in each step. */
export const full: Campaign = {
  name: "full",
  unit: "steps of a filling disk",
  counts: { ci: 60, usual: 200, long: 500 },
  roundOf: 500,
  leftOut: () => {
    if (process.platform !== "linux") return "only Linux has a small file system to be filled";
    if (process.getuid?.() !== 0) return "only root may mount a small file system";
    return undefined;
  },
  async round(round) {
    const place = mkdtempSync(join(tmpdir(), "lectern-full-"));
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "lectern-torture", place]);
    try {
      return await fillStepByStep(place, round);
    } finally {
      execFileSync("umount", [place]);
      rmSync(place, { recursive: true, force: true });
    }
  },
};

/** What was acknowledged, and what was asked for and refused, by its kind. */
interface Ledger {
  kept: Record<Kind, Set<string>>;
  refusals: number;
}

type Kind = "codes" | "contexts" | "proposals" | "pages";

async function fillStepByStep(place: string, { seed, count }: Round): Promise<RoundReport> {
  const random = randomNumbers(seed);
  const home = join(place, "home");
  const losses: string[] = [];
  const ledger: Ledger = {
    kept: { codes: new Set(), contexts: new Set(), proposals: new Set(), pages: new Set() },
    refusals: 0,
  };
  mkdirSync(join(home, "pages"), { recursive: true });
  let server = await startServer(home);
  let restarts = 0;
  try {
    await prepare(visitorAt(server.url), home);
    for (let step = 0; step < count; step++) {
      const wrong = (what: string) => losses.push(`with ${step} blocks free: ${what}`);
      fill(place, step);
      // The more room there is, the longer it takes until there is none.
      for (let turn = 0; turn < (step % 10 === 0 ? mostTurns : 1); turn++) {
        const refused = ledger.refusals;
        const name = `${step} when full ${turn}`;
        await actOnce(server.url, home, name, { ledger, wrong, isRoom: false });
        if (ledger.refusals > refused) break;
      }
      if (step % 25 === 10) {
        await kill(server);
        restarts++;
        // It may start or refuse; what it must not do is break, or hurt what is there.
        const asked = await runProgram(["status"], { home });
        if (/\n\s+at |Internal error/.test(asked.stderr)) wrong(`status broke: ${asked.stderr}`);
        empty(place);
        server = await startServer(home);
        await visitorAt(server.url).tool("open_project", { path: "interviews.qda" });
      }
      empty(place);
      // Now and then several steps go by before anybody looks, as on a real disk.
      if (random() < 0.2) continue;
      await actOnce(server.url, home, `${step} with room`, { ledger, wrong, isRoom: true });
      for (const gone of await missing(visitorAt(server.url), ledger)) wrong(gone);
    }
    for (const gone of await missing(visitorAt(server.url), ledger))
      losses.push(`at the end ${gone}`);
    losses.push(...damagedStores(home));
  } finally {
    await kill(server);
  }
  if (ledger.refusals === 0) losses.push("the disk was never full");
  const acknowledged = Object.values(ledger.kept).reduce((sum, { size }) => sum + size, 0);
  return {
    done: { steps: count, acknowledged, refused: ledger.refusals, "starts on it": restarts },
    losses,
  };
}

async function prepare({ tool, asPerson }: Visitor, home: string): Promise<void> {
  await tool("create_project", { path: "interviews.qda" });
  await tool("create_code", { name: "first", color: "#00AA00" });
  await asPerson("POST", "/collections/add", { path: join(home, "pages"), name: "pages" });
}

/** One of each kind of write. A refusal names its reason; where there is room there is none. */
async function actOnce(
  url: string,
  home: string,
  name: string,
  { ledger, wrong, isRoom }: { ledger: Ledger; wrong: (what: string) => void; isRoom: boolean },
): Promise<void> {
  const visitor = visitorAt(url);
  const page = `${name.replaceAll(" ", "-")}.md`;
  const acts: Record<Kind, () => Promise<unknown>> = {
    codes: () => visitor.tool("create_code", { name, color: "#00AA00" }),
    contexts: () =>
      visitor.asPerson("POST", "/contexts/add", { path: `pages/${name}`, text: name }),
    proposals: () => visitor.tool("propose-decision", { kind: "new", title: name }),
    pages: () => takeIn(visitor, join(home, "pages", page), name),
  };
  for (const [kind, act] of Object.entries(acts) as [Kind, () => Promise<unknown>][]) {
    try {
      if ((await act()) !== "not written") ledger.kept[kind].add(name);
    } catch (error) {
      ledger.refusals++;
      const isClear =
        error instanceof Refused && error.status < 600 && /full|space/i.test(error.message);
      if (isRoom || !isClear)
        wrong(`${kind}: ${String(error)} ${String((error as Error).cause ?? "")}`);
    }
  }
}

/** The page itself is ours to write; it may find no room either. */
async function takeIn(visitor: Visitor, path: string, name: string): Promise<unknown> {
  try {
    writeFileSync(path, `# ${name}\n\nThis page says harbour.\n`);
  } catch {
    rmSync(path, { force: true });
    return "not written";
  }
  return visitor.asPerson("POST", "/update");
}

async function missing({ tool, asPerson }: Visitor, { kept }: Ledger): Promise<string[]> {
  await asPerson("POST", "/update");
  const found: Record<Kind, Set<string>> = {
    codes: new Set((await tool<{ name: string }[]>("list_codes")).map(({ name }) => name)),
    contexts: new Set(
      (await asPerson<{ contexts: { text: string }[] }>("GET", "/contexts")).contexts.map(
        ({ text }) => text,
      ),
    ),
    proposals: await proposedTitles(asPerson),
    pages: new Set(
      (
        await asPerson<{ results: { title: string }[] }>("POST", "/search", {
          query: "harbour",
          all: true,
        })
      ).results.map(({ title }) => title),
    ),
  };
  return (Object.keys(kept) as Kind[]).flatMap((kind) => {
    const gone = [...kept[kind]].filter((name) => !found[kind].has(name));
    return gone.length === 0 ? [] : [`${gone.length} acknowledged ${kind} are gone: ${gone[0]}`];
  });
}

async function proposedTitles(asPerson: Visitor["asPerson"]): Promise<Set<string>> {
  const titles = new Set<string>();
  let cursor: string | undefined;
  do {
    const query = new URLSearchParams({ status: "all", ...(cursor && { cursor }) });
    const page = await asPerson<{
      proposals: { input: { title: string } }[];
      next_cursor?: string;
    }>("GET", `/proposals?${query}`);
    for (const { input } of page.proposals) titles.add(input.title);
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return titles;
}

const ballast = (place: string): string => join(place, "ballast");

/** Takes all that is free, and gives so many blocks back. */
function fill(place: string, blocks: number): void {
  const path = ballast(place);
  try {
    writeFileSync(path, Buffer.alloc(statfsSync(place).bfree * block + block));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
  truncateSync(path, Math.max(statSync(path).size - blocks * block, 0));
}

const empty = (place: string): void => {
  if (existsSync(ballast(place))) rmSync(ballast(place));
};

async function kill({ child }: Served): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}
