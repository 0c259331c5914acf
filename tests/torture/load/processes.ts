import { cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { freshHome, runProgram, sample } from "../../journeys/program.ts";
import { type Agent, startAgent } from "../../journeys/stdio-agent.ts";
import type { Campaign, Round, RoundReport } from "../campaign.ts";
import { damagedStores } from "../store-copies.ts";

const rounds = 6;

/** Servers and commands that share one home and all write to it concurrently. */
export const processes: Campaign = {
  name: "processes",
  unit: "processes",
  counts: { ci: 50, default: 50, long: 500 },
  roundOf: 50,
  round: runOnSharedHome,
};

async function runOnSharedHome({ count }: Round): Promise<RoundReport> {
  const home = freshHome();
  const folder = join(home, "library");
  cpSync(sample, folder, { recursive: true });
  const agents: Agent[] = [];
  const losses: string[] = [];
  try {
    await runSuccessfully(["collection", "add", folder, "--name", "sample"], home);
    const proposed: string[] = [];
    await warmCodeCache(home, folder);
    agents.push(...Array.from({ length: count }, () => startAgent(home, ["--root", folder])));
    const found = new Set<string>();
    const runAgent = async (agent: Agent, number: number): Promise<void> => {
      await agent.initialize();
      for (let round = 0; round < rounds; round++) {
        const title = `Decision ${number} of turn ${round}`;
        const answers = await Promise.all([
          agent.call("propose-decision", { kind: "new", title }),
          agent.call("search", { query: "harbour" }),
          agent.call("status"),
        ]);
        for (const answer of answers) {
          if (answer.isError) losses.push(JSON.stringify(answer.content).slice(0, 300));
        }
        proposed.push(title);
        found.add(JSON.stringify(answers[1]?.structuredContent));
      }
    };
    const commands = Array.from({ length: 5 }, (_, number) =>
      runSuccessfully(["context", "add", `sample/part-${number}`, `Part ${number}`], home),
    );
    await Promise.all([...agents.map(runAgent), ...commands]);
    if (found.size !== 1) losses.push(`one search was answered in ${found.size} ways`);
    const exits = await Promise.all(agents.map((agent) => agent.close()));
    const badEnds = exits.filter(({ code }) => code !== 0).length;
    if (badEnds > 0) losses.push(`${badEnds} processes did not end with 0`);
    losses.push(...(await missing(home, proposed)), ...damagedStores(home));
    return { done: { processes: count, "proposals kept": proposed.length }, losses };
  } finally {
    for (const { child } of agents) child.kill("SIGKILL");
    rmSync(home, { recursive: true, force: true });
  }
}

/** A process that exits normally writes the compile cache, so that others start faster. */
async function warmCodeCache(home: string, folder: string): Promise<void> {
  const agent = startAgent(home, ["--root", folder]);
  await agent.initialize();
  await agent.close();
}

async function missing(home: string, proposed: readonly string[]): Promise<string[]> {
  const stored = new Set<string>();
  let cursor: string | undefined;
  do {
    const args = ["proposals", "--json", ...(cursor ? ["--cursor", cursor] : [])];
    const page = JSON.parse((await runProgram(args, { home })).stdout) as {
      proposals: { input: { title: string } }[];
      next_cursor?: string;
    };
    for (const { input } of page.proposals) stored.add(input.title);
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  const lost = proposed.filter((title) => !stored.has(title));
  const config = JSON.parse(readFileSync(join(home, "config.json"), "utf8"));
  const contexts = Object.keys(config.contexts).length;
  return [
    ...(lost.length > 0 ? [`${lost.length} acknowledged proposals are gone`] : []),
    ...(contexts === 5 ? [] : [`${contexts} contexts in place of 5`]),
  ];
}

async function runSuccessfully(args: readonly string[], home: string): Promise<void> {
  const { code, stderr } = await runProgram(args, { home });
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${stderr}`);
}
