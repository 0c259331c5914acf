import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Contestant } from "./contestant.ts";

export interface Session {
  /** The number of the server's process. */
  readonly pid: number;
  /** Sends a request and gives its result. */
  ask(method: string, params: object): Promise<Record<string, unknown>>;
  /** Calls a tool and gives its structured content. */
  call(name: string, input: object): Promise<Record<string, unknown>>;
  /** Calls the search tool and says how many hits came back. */
  search(query: string): Promise<number>;
  /** Closes its input and waits until the server has ended by itself. */
  close(): Promise<void>;
}

/** An MCP server of a program, with the handshake behind it. */
export async function openSession(contestant: Contestant, env = contestant.env): Promise<Session> {
  const [file, ...first] = contestant.command;
  const child = spawn(file, [...first, ...contestant.server], { env });
  child.stderr.resume();
  const waiting = new Map<number, (line: string) => void>();
  const ended = new Promise<void>((resolve) => child.on("exit", () => resolve()));
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { id } = JSON.parse(line);
    waiting.get(id)?.(line);
    waiting.delete(id);
  });
  const send = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`);
  let last = 0;
  const ask = async (method: string, params: object) => {
    const id = ++last;
    const answer = new Promise<string>((resolve) => waiting.set(id, resolve));
    send({ jsonrpc: "2.0", id, method, params });
    const line = await Promise.race([answer, ended]);
    if (line === undefined) throw new Error(`${contestant.name} ended before it answered.`);
    const { error, result } = JSON.parse(line);
    if (error || result.isError) throw new Error(line);
    return result;
  };
  await ask("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  });
  send({ jsonrpc: "2.0", method: "notifications/initialized" });
  return {
    pid: child.pid ?? 0,
    ask,
    async call(name, input) {
      const result = await ask("tools/call", { name, arguments: input });
      return result.structuredContent;
    },
    async search(query) {
      const result = await ask("tools/call", contestant.call(query));
      return result.structuredContent.results.length;
    },
    close() {
      child.stdin.end();
      return ended;
    },
  };
}
