import { spawn } from "node:child_process";
import { environment, median, program } from "../home.ts";
import { ms, type Section, table } from "../page.ts";

interface Start {
  name: string;
  args: string[];
  /** Written to stdin; the first byte of the response ends the measurement. */
  input?: string;
}

const handshake = `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: {} })}\n`;

const starts: Start[] = [
  { name: "`node -e 0`", args: ["-e", "0"] },
  { name: "`lectern --version`", args: [program, "--version"] },
  { name: "`lectern search`, end to end", args: [program, "search", "install", "plugin"] },
  { name: "`lectern mcp`, to the first response", args: [program, "mcp"], input: handshake },
];

/** The maximum start times in milliseconds. */
const limits: [string, number][] = [
  ["`lectern search`, end to end", 150],
  ["`lectern mcp`, to the first response", 300],
];

/** Alternates between the commands, so that a busy machine affects all equally. */
export async function measureStarts(home: string, samples: number): Promise<Section> {
  const times = new Map<string, number[]>(starts.map(({ name }) => [name, []]));
  for (let round = 0; round < samples; round++) {
    for (const start of starts) times.get(start.name)?.push(await timeStart(start, home));
  }
  const bare = median(times.get("`node -e 0`") ?? []);
  const rows = [...times].map(([name, all]) => {
    const middle = median(all);
    return [name, ms(middle), ms(Math.max(...all)), (middle / bare).toFixed(2)];
  });
  const head = ["command", "median", "slowest", "relative to `node -e 0`"];
  return {
    title: "Startup time",
    text: `From the start of the process to its response; medians of ${samples} alternating starts.\n\n${table(head, rows)}`,
    targets: limits.map(([name, max]) => {
      const middle = median(times.get(name) ?? []);
      const measured = { figure: ms(middle), isMet: middle <= max };
      return { name, required: `at most ${max} ms`, measured };
    }),
  };
}

function timeStart({ args, input }: Start, home: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(process.execPath, args, { env: environment(home) });
    child.on("error", reject);
    if (input === undefined) {
      child.stdout.resume();
      child.on("exit", (code) =>
        code === 0
          ? resolve(performance.now() - started)
          : reject(new Error(`${args} exited with ${code}`)),
      );
      return;
    }
    child.stdin.write(input);
    child.stdout.once("data", () => {
      const took = performance.now() - started;
      child.on("exit", () => resolve(took));
      child.stdin.end();
    });
  });
}
