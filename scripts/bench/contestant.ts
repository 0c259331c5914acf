import { spawn } from "node:child_process";
import { environment, program } from "./home.ts";
import { openUsage, type Usage } from "./usage.ts";

/** A program that indexes a folder and searches it, at the command line and over MCP. */
export interface Contestant {
  name: string;
  /** The folder of its data. */
  home: string;
  /** The executable, and the arguments before those of a command. */
  command: [string, ...string[]];
  env: NodeJS.ProcessEnv;
  index(folder: string): string[];
  update: string[];
  search(query: string): string[];
  server: string[];
  /** The parameters of `tools/call`. */
  call(query: string): { name: string; arguments: Record<string, unknown> };
}

export interface Run extends Usage {
  /** Milliseconds from the start of the process to its end. */
  wallTime: number;
}

export const lectern = (home: string, node = process.execPath): Contestant => ({
  name: node === process.execPath ? "Lectern" : "Lectern on Node 24",
  home,
  command: [node, program],
  env: environment(home),
  index: (folder) => ["collection", "add", folder, "--name", "docs"],
  update: ["update"],
  search: (query) => ["search", query, "-n", "10", "--json"],
  server: ["mcp"],
  call: (query) => ({ name: "search", arguments: { query, limit: 10 } }),
});

/** Runs a command and returns its duration and resource usage. */
export async function runMeasured({ command, env }: Contestant, args: string[]): Promise<Run> {
  const usage = openUsage(env);
  const wallTime = await timeCommand(command, args, usage.env);
  return { wallTime, ...usage.read() };
}

/** Runs a command without instrumentation and returns its duration. */
export const runTimed = ({ command, env }: Contestant, args: string[]): Promise<number> =>
  timeCommand(command, args, env);

function timeCommand(
  [file, ...first]: Contestant["command"],
  args: string[],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(file, [...first, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
    const stderrChunks: Buffer[] = [];
    child.stdout.resume();
    child.stderr.on("data", (part: Buffer) => stderrChunks.push(part));
    child.on("error", reject);
    child.on("exit", (code) => {
      if (code === 0) return resolve(performance.now() - started);
      reject(new Error(`${args.join(" ")} exited with ${code}: ${Buffer.concat(stderrChunks)}`));
    });
  });
}
