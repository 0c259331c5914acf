import { startProcess } from "../programs/process.ts";
import { type Line, request } from "../programs/wire.ts";
import { lectern } from "./program.ts";

/** An agent that has started its own `lectern mcp`. */
export type Agent = ReturnType<typeof startAgent>;

/** Starts the process without sending anything. */
export function startAgent(
  home: string,
  args: readonly string[] = [],
  program = lectern,
  env: Record<string, string> = {},
) {
  const process = startProcess([...program, "mcp", ...args], { LECTERN_HOME: home, ...env });
  const { child, ended, answerTo, output } = process;
  const exited = ended.then(({ code, signal }) => {
    throw new Error(`The server ended (${signal ?? code}) without an answer: ${output.stderr}`);
  });
  exited.catch(() => {});
  let requestCount = 0;

  async function ask(method: string, params: object = {}): Promise<Line> {
    const id = ++requestCount;
    child.stdin.write(request(id, method, params));
    return Promise.race([answerTo(id), exited]);
  }

  return {
    ...process,
    ask,
    /** Performs the handshake of a 2025 client. */
    async initialize(): Promise<Line> {
      const answer = await ask("initialize", {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "journey", version: "1" },
      });
      child.stdin.write(
        `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`,
      );
      return answer;
    },
    /** Calls a tool; returns `structuredContent`, `content` and `isError`. */
    async call(name: string, args: object = {}): Promise<Record<string, unknown>> {
      const { result, error } = await ask("tools/call", { name, arguments: args });
      if (!result) throw new Error(`${name} was refused by the protocol: ${error?.message}`);
      return result;
    },
    /** Closes the input, like a client that has finished, and returns how the server ended. */
    close() {
      child.stdin.end();
      return ended;
    },
  };
}
