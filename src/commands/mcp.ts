import type { Writable } from "node:stream";
import * as z from "zod";
import { clientKeyFrom } from "../kernel/client-key.ts";
import type { Library } from "../kernel/library.ts";
import { programCommand } from "../surfaces/cli/command.ts";
import { takeIn } from "./documents.ts";

export const mcp = programCommand({
  cli: "mcp",
  summary: "Serve one agent over stdin and stdout",
  group: "serving",
  input: z.object({
    strictIds: z
      .boolean()
      .default(false)
      .describe("Leave the id out where a message was unreadable, instead of null"),
    documents: z
      .string()
      .min(1)
      .optional()
      .describe("Take this folder in as a collection, if none has it yet")
      .meta({ path: true }),
  }),
  async run({ strictIds, documents }, context) {
    const { claimStdout } = await import("../surfaces/mcp/stdio.ts");
    const output = claimStdout();
    await serveAgent(context.library(), output, { strictIds, documents });
    return 0;
  },
});

interface AgentOptions {
  strictIds?: boolean;
  /** A folder to take in. */
  documents?: string | undefined;
  onMessage?: () => void;
}

/** How long after the start the background begins: the handshake comes first. */
const settleMs = 100;

/** Speaks MCP on the process's own streams until the client has gone. */
export async function serveAgent(
  library: Library,
  output: Writable,
  { strictIds = false, documents, onMessage = () => {} }: AgentOptions = {},
): Promise<void> {
  const [{ serveOnStdio }, { serverFactory }] = await Promise.all([
    import("../surfaces/mcp/stdio.ts"),
    import("../surfaces/mcp/server.ts"),
  ]);
  setTimeout(() => {
    library.keep();
    if (documents !== undefined) void takeIn(library, documents);
  }, settleMs).unref();
  await serveOnStdio({
    factory: serverFactory(library, { clientKey: clientKeyFrom(process.env) }),
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
