import { spawn } from "node:child_process";
import { environment, median, program } from "../home.ts";
import { ms, type Section, table } from "../page.ts";

interface Start {
  what: string;
  words: string[];
  /** Written to stdin; the first byte of the response ends the measurement. */
  input?: string;
}

const handshake = `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: {} })}\n`;

const starts: Start[] = [
  { what: "`node -e 0`", words: ["-e", "0"] },
  { what: "`lectern --version`", words: [program, "--version"] },
  { what: "`lectern search`, end to end", words: [program, "search", "install", "plugin"] },
  { what: "`lectern mcp`, to the first response", words: [program, "mcp"], input: handshake },
];

/** The maximum start times in milliseconds. */
const limits: [string, number][] = [
  ["`lectern search`, end to end", 150],
  ["`lectern mcp`, to the first response", 300],
];

/** Alternates between the commands, so that a busy machine affects all equally. */
export async function measureStarts(home: string, samples: number): Promise<Section> {
  const times = new Map<string, number[]>(starts.map(({ what }) => [what, []]));
  for (let round = 0; round < samples; round++) {
    for (const start of starts) times.get(start.what)?.push(await timed(start, home));
  }
  const bare = median(times.get("`node -e 0`") ?? []);
  const rows = [...times].map(([what, all]) => {
    const middle = median(all);
    return [what, ms(middle), ms(Math.max(...all)), (middle / bare).toFixed(2)];
  });
  const head = ["command", "median", "slowest", "relative to `node -e 0`"];
  return {
    title: "Startup time",
    text: `From the start of the process to its response; medians of ${samples} alternating starts.\n\n${table(head, rows)}`,
    targets: limits.map(([what, most]) => {
      const middle = median(times.get(what) ?? []);
      const measured = { figure: ms(middle), isMet: middle <= most };
      return { what, needed: `at most ${most} ms`, measured };
    }),
  };
}

function timed({ words, input }: Start, home: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const child = spawn(process.execPath, words, { env: environment(home) });
    child.on("error", reject);
    if (input === undefined) {
      child.stdout.resume();
      child.on("exit", (code) =>
        code === 0
          ? resolve(performance.now() - began)
          : reject(new Error(`${words} exited with ${code}`)),
      );
      return;
    }
    child.stdin.write(input);
    child.stdout.once("data", () => {
      const took = performance.now() - began;
      child.on("exit", () => resolve(took));
      child.stdin.end();
    });
  });
}
