import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { childSource } from "../../child-source.ts";
import { randomNumbers } from "../../fixtures/random-numbers.ts";
import { freshHome, runProgram, type Served, sample, startServer } from "../../journeys/program.ts";
import { listAllProposals } from "../all-proposals.ts";
import type { Campaign, Round, RoundReport } from "../campaign.ts";
import { type Answer, type HttpClient, httpClientAt } from "../http-client.ts";
import { damagedStores } from "../store-copies.ts";

/** Suspends processes while they write; another server must continue. */
export const frozen: Campaign = {
  name: "frozen",
  unit: "freezes",
  counts: { ci: 6, default: 20, long: 400 },
  roundOf: 10,
  round: freeze,
};

/** A regression would take half a minute; the limit allows for a busy machine. */
const maxHealthMs = 3_000;

/** Acquires the write lock of the store and suspends itself inside its transaction. */
const holderSource = `
  import { openDatabase } from "./src/kernel/storage/database.ts";
  const db = openDatabase(process.argv[2]);
  await db.waitUntilWritable({ timeoutMs: Infinity });
  db.transaction(() => {
    db.run("DELETE FROM notices WHERE seq < 0");
    process.kill(process.pid, "SIGSTOP");
  });
  db.close();
`;

interface Observed {
  /** Acknowledged and refused writes, by title. */
  acknowledged: Set<string>;
  refused: Set<string>;
  health: number[];
  losses: string[];
}

async function freeze({ seed, count }: Round): Promise<RoundReport> {
  const random = randomNumbers(seed);
  const home = freshHome();
  const folder = join(home, "library");
  cpSync(sample, folder, { recursive: true });
  await runProgram(["collection", "add", folder, "--name", "sample"], { home });
  const servers: Served[] = [];
  const observed: Observed = {
    acknowledged: new Set(),
    refused: new Set(),
    health: [],
    losses: [],
  };
  const done = { "servers stopped": 0, "transactions stopped": 0 };
  try {
    for (let number = 0; number < 2; number++) {
      servers.push(await startServer(home, ["--root", folder, "--log-level", "error"]));
    }
    const [suspended, other] = servers as [Served, Served];
    for (let number = 0; number < count; number++) {
      const stop = new AbortController();
      const name = `${seed}-${number}`;
      const writers = [
        write(httpClientAt(suspended.url), `victim ${name}`, observed, stop.signal),
        write(httpClientAt(other.url), `other ${name}`, observed, stop.signal),
        edit(folder, stop.signal),
      ];
      await sleep(random() * 1_500);
      const isWhole = random() < 0.5;
      const stopped = isWhole ? suspended.child : await holderOf(home);
      done[isWhole ? "servers stopped" : "transactions stopped"]++;
      if (isWhole) stopped.kill("SIGSTOP");
      await watch(other, 1_000 + random() * 7_000, observed);
      stopped.kill("SIGCONT");
      stop.abort();
      await Promise.all(writers);
      if (!isWhole && stopped.exitCode === null) await once(stopped, "exit");
    }
    const losses = [
      ...observed.losses,
      ...(await wrongProposals(httpClientAt(other.url), observed)),
    ];
    for (const server of servers) {
      const code = await server.stop();
      if (code !== 0) losses.push(`a server ended with ${code}`);
    }
    const slowest = Math.round(Math.max(...observed.health));
    if (slowest > maxHealthMs) losses.push(`/health took ${slowest} ms`);
    const counts = { acknowledged: observed.acknowledged.size, refused: observed.refused.size };
    return {
      done: { ...done, ...counts, "health checks": observed.health.length },
      losses: [...losses, ...damagedStores(home)],
      notes: [`/health took at most ${slowest} ms`],
    };
  } finally {
    for (const { child } of servers) child.kill("SIGKILL");
    rmSync(home, { recursive: true, force: true });
  }
}

async function holderOf(home: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [childSource(holderSource), join(home, "lectern.sqlite")], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  await once(child, "spawn");
  return child;
}

/** Creates proposals sequentially; each is stored, or refused because the store is busy. */
async function write(
  client: HttpClient,
  name: string,
  { acknowledged, refused, losses }: Observed,
  signal: AbortSignal,
): Promise<void> {
  for (let number = 0; !signal.aborted; number++) {
    const title = `Decision ${number} of ${name}`;
    const body = { arguments: { kind: "new", title } };
    const answer = await client.send("POST", "/tools/propose-decision", body);
    if (answer.status === 200) acknowledged.add(title);
    else if (isBusy(answer)) refused.add(title);
    else losses.push(`a write was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    await sleep(5);
  }
}

const isBusy = ({ status, body }: Answer): boolean =>
  status === 503 && JSON.stringify(body).includes("Another Lectern process");

/** Keeps the indexing process busy. */
async function edit(folder: string, signal: AbortSignal): Promise<void> {
  for (let number = 0; !signal.aborted; number++) {
    writeFileSync(join(folder, "notes", "growing.md"), `# Growing\n\nLine ${number}\n`);
    await sleep(50);
  }
}

/** The other server answers readers, whichever process is suspended. */
async function watch(server: Served, ms: number, { health, losses }: Observed): Promise<void> {
  const client = httpClientAt(server.url);
  const end = performance.now() + ms;
  while (performance.now() < end) {
    const start = performance.now();
    const { status } = await client.send("GET", "/health");
    health.push(performance.now() - start);
    if (status !== 200) losses.push(`/health was answered ${status}`);
    const found = await client.send("POST", "/search", { query: "harbour" });
    if (found.status !== 200) losses.push(`a search was answered ${found.status}`);
    await sleep(20);
  }
}

/** Acknowledged writes exist once, and refused ones do not. */
async function wrongProposals(
  client: HttpClient,
  { acknowledged, refused }: Observed,
): Promise<string[]> {
  const titles = (await listAllProposals(client)).map(({ input }) => String(input.title));
  const known = new Set(titles);
  const lost = [...acknowledged].filter((title) => !known.has(title)).length;
  const present = [...refused].filter((title) => known.has(title)).length;
  return [
    ...(lost > 0 ? [`${lost} acknowledged proposals are gone`] : []),
    ...(present > 0 ? [`${present} refused proposals exist`] : []),
    ...(known.size < titles.length ? ["a proposal exists twice"] : []),
  ];
}
