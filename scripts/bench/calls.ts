import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { at, environment, median, program } from "./home.ts";

/** Makes one search call and waits for its answer. */
type Caller = (number: number) => Promise<void>;

const queries = ["install plugin", "configuration file", "grid layout", "error message", "release"];
const queryOf = (number: number) => queries[number % queries.length] ?? "install";
const toolCall = (id: number) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: "search", arguments: { query: queryOf(id), limit: 10 } },
});

/** The same search over every surface that stays open. */
export async function measureCalls(home: string, count: number): Promise<string[]> {
  const stdio = await openStdio(home);
  const http = await openHttp(home);
  const surfaces: [string, Caller][] = [
    ["MCP over stdio", stdio.call],
    ["MCP over HTTP, plain", (id) => post(`${http.url}/mcp`, toolCall(id))],
    ["REST `POST /search`", (id) => post(`${http.url}/search`, { query: queryOf(id) })],
    [
      "`POST /tools/search`",
      (id) => post(`${http.url}/tools/search`, { arguments: { query: queryOf(id) } }),
    ],
  ];
  const rows: string[] = [];
  for (const [name, call] of surfaces) {
    await inTurn(call, Math.ceil(count / 10), 1);
    const alone = await inTurn(call, count, 1);
    const together = await inTurn(call, count, 8);
    const cells = [
      name,
      alone.rate.toFixed(0),
      `${median(alone.times).toFixed(2)} ms`,
      `${at(alone.times, 0.99).toFixed(2)} ms`,
      together.rate.toFixed(0),
    ];
    rows.push(`| ${cells.join(" | ")} |`);
  }
  stdio.child.kill();
  http.child.kill();
  return rows;
}

async function inTurn(call: Caller, count: number, lanes: number) {
  const times: number[] = [];
  let next = 1;
  const began = performance.now();
  const lane = async () => {
    while (next <= count) {
      const number = next++;
      const started = performance.now();
      await call(number);
      times.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return { times, rate: (count / (performance.now() - began)) * 1000 };
}

async function openStdio(home: string): Promise<{ child: ChildProcess; call: Caller }> {
  const child = spawn(process.execPath, [program, "mcp"], { env: environment(home) });
  const waiting = new Map<number, () => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { id, error, result } = JSON.parse(line);
    if (error || result?.isError) throw new Error(line);
    waiting.get(id)?.();
    waiting.delete(id);
  });
  let last = 0;
  const ask = (message: object): Promise<void> => {
    const id = ++last;
    return new Promise((resolve) => {
      waiting.set(id, resolve);
      child.stdin.write(`${JSON.stringify({ ...message, id })}\n`);
    });
  };
  await ask({ jsonrpc: "2.0", method: "initialize", params: {} });
  return { child, call: (number) => ask(toolCall(number)) };
}

async function openHttp(home: string): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [program, "serve", "--port", "0"], {
    env: environment(home),
  });
  const url = await new Promise<string>((resolve) => {
    child.stderr.on("data", (said: Buffer) => {
      const found = /http:\/\/[^\s/]+/.exec(String(said))?.[0];
      if (found) resolve(found);
    });
  });
  return { child, url };
}

async function post(url: string, body: object): Promise<void> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok || text.includes('"isError":true')) throw new Error(`${url}: ${text}`);
}
