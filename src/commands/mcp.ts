import type { Writable } from "node:stream";
import * as z from "zod";
import type { Library } from "../kernel/library.ts";
import { programCommand } from "../surfaces/cli/command.ts";

export const mcp = programCommand({
  cli: "mcp",
  summary: "Serve one agent over stdin and stdout",
  group: "serving",
  input: z.object({
    strictIds: z
      .boolean()
      .default(false)
      .describe("Leave the id out where a message was unreadable, instead of null"),
  }),
  async run({ strictIds }, context) {
    const { claimStdout } = await import("../surfaces/mcp/stdio.ts");
    const output = claimStdout();
    await serveAgent(context.library(), output, { strictIds });
    return 0;
  },
});

/** How long after the start the background begins: the handshake comes first. */
const settleMs = 100;

/** Speaks MCP on the process's own streams until the client has gone. */
export async function serveAgent(
  library: Library,
  output: Writable,
  { strictIds = false, onMessage = () => {} } = {},
): Promise<void> {
  const [{ serveOnStdio }, { serverFactory }] = await Promise.all([
    import("../surfaces/mcp/stdio.ts"),
    import("../surfaces/mcp/server.ts"),
  ]);
  setTimeout(() => library.keep(), settleMs).unref();
  await serveOnStdio({
    factory: serverFactory(library),
    output,
    strictIds,
    drainMs: library.settings.timeLimit + 2_000,
    trace(direction, line) {
      onMessage();
      library.log.trace("mcp:protocol", () => `${direction === "in" ? "<-" : "->"} ${line}`);
    },
    onerror: (error) => library.log.trace("mcp:protocol", () => error.message),
  });
}
