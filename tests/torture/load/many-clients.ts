import { rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { randomNumbers } from "../../fixtures/random-numbers.ts";
import { freshHome, runProgram, sample, startServer } from "../../journeys/program.ts";
import type { Campaign, Round, RoundReport, Scale } from "../campaign.ts";
import { handlesOf, residentMemoryOf } from "../process-memory.ts";

const seconds: Record<Scale, number> = { ci: 30, default: 60, long: 600 };

/** Clients that all send requests concurrently for a given time. */
export const manyClients: Campaign = {
  name: "many-clients",
  unit: "clients",
  counts: { ci: 100, default: 500, long: 1_000 },
  roundOf: 1_000,
  round: ask,
};

interface Question {
  method: string;
  path: string;
  body?: string;
}

const questions: Question[] = [
  { method: "GET", path: "/health" },
  { method: "POST", path: "/search", body: '{"query":"harbour"}' },
  { method: "POST", path: "/search", body: '{"query":"lamp keeper","limit":3}' },
  { method: "POST", path: "/tools/status", body: '{"arguments":{}}' },
  { method: "GET", path: "/collections" },
  {
    method: "POST",
    path: "/mcp",
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":"meeting"}}}',
  },
];

async function ask({ seed, count, scale }: Round): Promise<RoundReport> {
  const home = freshHome();
  await runProgram(["collection", "add", sample, "--name", "sample"], { home });
  const { url, child, stop } = await startServer(home, ["--log-level", "error"]);
  const pid = Number(child.pid);
  const agent = new Agent({ keepAlive: true, maxSockets: count });
  try {
    const expected = new Map<string, string>();
    for (const question of questions) {
      expected.set(keyOf(question), (await answered(url, question, agent)).body);
    }
    const before = { handles: handlesOf(pid) ?? 0 };
    const wrongAnswers = new Map<string, number>();
    let answers = 0;
    const end = performance.now() + seconds[scale] * 1_000;
    const sizes: number[] = [];
    const watch = setInterval(() => sizes.push(residentMemoryOf(pid) ?? 0), 250).unref();
    const client = async (number: number): Promise<void> => {
      const random = randomNumbers(seed * 10_007 + number);
      while (performance.now() < end) {
        const question = questions[Math.floor(random() * questions.length)];
        if (!question) continue;
        const { status, body } = await answered(url, question, agent);
        answers++;
        const key = keyOf(question);
        if (status === 200 && body === expected.get(key)) continue;
        const wrongAnswer = `${key}: ${status} ${body.slice(0, 200)}`;
        wrongAnswers.set(wrongAnswer, (wrongAnswers.get(wrongAnswer) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: count }, (_, number) => client(number)));
    clearInterval(watch);
    agent.destroy();
    const losses = [...wrongAnswers].map(([wrongAnswer, times]) => `${times} times ${wrongAnswer}`);
    losses.push(...memoryGrowth(sizes));
    losses.push(...(await leakedHandles(pid, before.handles)));
    const note = `${count} clients got ${answers} answers in ${seconds[scale]} s; server memory at most ${megabytes(Math.max(...sizes))}`;
    return { done: { answers }, losses, notes: [note] };
  } finally {
    agent.destroy();
    await stop();
    rmSync(home, { recursive: true, force: true });
  }
}

const keyOf = ({ method, path, body = "" }: Question): string => `${method} ${path} ${body}`;

const megabytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;

/**
 * Garbage varies, so leaks show in the minimum of each period. The first
 * quarter fills the caches; after it the minimum must not grow.
 */
function memoryGrowth(sizes: readonly number[]): string[] {
  const quarter = Math.floor(sizes.length / 4);
  const before = Math.min(...sizes.slice(quarter, 2 * quarter));
  const after = Math.min(...sizes.slice(3 * quarter));
  if (after <= before * 1.5 + 64 * 2 ** 20) return [];
  return [`the minimum memory grew from ${megabytes(before)} to ${megabytes(after)}`];
}

/** Closed connections are detected after a moment. */
async function leakedHandles(pid: number, before: number): Promise<string[]> {
  for (let attempt = 0; ; attempt++) {
    const now = handlesOf(pid) ?? 0;
    if (now <= before + 10) return [];
    if (attempt === 100) return [`${now - before} handles are still open`];
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** A broken connection is an answer with status 0. */
function answered(
  url: string,
  { method, path, body }: Question,
  agent: Agent,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve) => {
    const headers = {
      accept: "application/json, text/event-stream",
      ...(body && {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
      }),
    };
    const clientRequest = request(`${url}${path}`, { method, headers, agent }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body: text }));
      response.on("error", (error) => resolve({ status: 0, body: String(error) }));
    });
    clientRequest.on("error", (error) => resolve({ status: 0, body: String(error) }));
    clientRequest.end(body);
  });
}
