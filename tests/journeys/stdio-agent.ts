import { startProcess } from "../programs/process.ts";
import { type Line, request } from "../programs/wire.ts";
import { lectern } from "./program.ts";

/** An agent that started `lectern mcp` for itself. */
export type Agent = ReturnType<typeof startAgent>;

/** Starts the process and says nothing yet. */
export function startAgent(
  home: string,
  words: readonly string[] = [],
  program = lectern,
  env: Record<string, string> = {},
) {
  const process = startProcess([...program, "mcp", ...words], { LECTERN_HOME: home, ...env });
  const { child, ended, answerTo, said } = process;
  const gone = ended.then(({ code, signal }) => {
    throw new Error(`The server ended (${signal ?? code}) without an answer: ${said.stderr}`);
  });
  gone.catch(() => {});
  let asked = 0;

  async function ask(method: string, params: object = {}): Promise<Line> {
    const id = ++asked;
    child.stdin.write(request(id, method, params));
    return Promise.race([answerTo(id), gone]);
  }

  return {
    ...process,
    ask,
    /** The handshake, as a client of 2025 does it. */
    async greet(): Promise<Line> {
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
    /** What a tool answered: `structuredContent`, `content`, `isError`. */
    async call(name: string, given: object = {}): Promise<Record<string, unknown>> {
      const { result, error } = await ask("tools/call", { name, arguments: given });
      if (!result) throw new Error(`${name} was refused by the protocol: ${error?.message}`);
      return result;
    },
    /** Closes its input, as a client does that has finished, and gives how the server ended. */
    leave() {
      child.stdin.end();
      return ended;
    },
  };
}
