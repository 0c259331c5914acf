import { spawn } from "node:child_process";
import { lectern } from "./contestant.ts";
import { environment, median, program, quantile } from "./home.ts";
import { ms, type Section, table } from "./page.ts";
import { openSession } from "./stdio.ts";

/** Makes one search call and waits for its response. */
type Caller = (number: number) => Promise<unknown>;

const queries = ["install plugin", "configuration file", "grid layout", "error message", "release"];
const queryOf = (number: number) => queries[number % queries.length] ?? "install";
const toolCall = (id: number) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: "search", arguments: { query: queryOf(id), limit: 10 } },
});

/** The same search over every long-running surface. */
export async function measureCalls(home: string, count: number): Promise<Section> {
  const stdio = await openSession(lectern(home));
  const http = await openHttp(home);
  const surfaces: [string, Caller][] = [
    ["MCP over stdio", (id) => stdio.search(queryOf(id))],
    ["MCP over HTTP, plain", (id) => post(`${http.url}/mcp`, toolCall(id))],
    ["REST `POST /search`", (id) => post(`${http.url}/search`, { query: queryOf(id) })],
    [
      "`POST /tools/search`",
      (id) => post(`${http.url}/tools/search`, { arguments: { query: queryOf(id) } }),
    ],
  ];
  const rows: string[][] = [];
  for (const [name, call] of surfaces) {
    await runCalls(call, Math.ceil(count / 10), 1);
    const sequential = await runCalls(call, count, 1);
    const concurrent = await runCalls(call, count, 8);
    rows.push([
      name,
      sequential.rate.toFixed(0),
      ms(median(sequential.times)),
      ms(quantile(sequential.times, 0.99)),
      concurrent.rate.toFixed(0),
    ]);
  }
  await stdio.close();
  await http.close();
  const head = ["surface", "calls/s, sequential", "median", "p99"];
  return {
    title: "Call throughput",
    text: `One client, first with sequential calls, then with eight concurrent ones; the same \`search\` on every surface.\n\n${table([...head, "calls/s, 8 concurrent"], rows)}`,
    targets: [],
  };
}

async function runCalls(call: Caller, count: number, concurrency: number) {
  const times: number[] = [];
  let next = 1;
  const started = performance.now();
  const worker = async () => {
    while (next <= count) {
      const number = next++;
      const started = performance.now();
      await call(number);
      times.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return { times, rate: (count / (performance.now() - started)) * 1000 };
}

/** `lectern serve` on a free port. */
export async function openHttp(home: string): Promise<{ url: string; close(): Promise<void> }> {
  const child = spawn(process.execPath, [program, "serve", "--port", "0"], {
    env: environment(home),
  });
  const url = await new Promise<string>((resolve) => {
    child.stderr.on("data", (chunk: Buffer) => {
      const found = /http:\/\/[^\s/]+/.exec(String(chunk))?.[0];
      if (found) resolve(found);
    });
  });
  const close = () =>
    new Promise<void>((resolve) => {
      child.on("exit", () => resolve());
      child.kill();
    });
  return { url, close };
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
