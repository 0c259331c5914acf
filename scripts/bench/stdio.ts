import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Contestant } from "./contestant.ts";

export interface Session {
  /** The server's process id. */
  readonly pid: number;
  /** Sends a request and returns its result. */
  ask(method: string, params: object): Promise<Record<string, unknown>>;
  /** Calls a tool and returns its structured content. */
  call(name: string, input: object): Promise<Record<string, unknown>>;
  /** Calls the search tool and returns the number of results. */
  search(query: string): Promise<number>;
  /** Closes the server's input and waits for its exit. */
  close(): Promise<void>;
}

/** Starts the MCP server of a program and initializes a session. */
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
    if (line === undefined) throw new Error(`${contestant.name} exited before it responded.`);
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
