import type { Writable } from "node:stream";
import * as z from "zod";
import { readClientKey } from "../../kernel/calls/client-key.ts";
import type { App } from "../../kernel/runtime/app.ts";
import { programCommand } from "../../surfaces/cli/command.ts";
import { addDocumentsFolder } from "./documents-folder.ts";

export const mcpCommand = programCommand({
  cli: "mcp",
  summary: "Serve one agent over stdin and stdout",
  group: "serving",
  input: z.object({
    strictIds: z
      .boolean()
      .default(false)
      .describe("Omit the id of an unreadable message instead of sending null"),
    documents: z
      .string()
      .min(1)
      .optional()
      .describe("Add this folder as a collection if no collection contains it")
      .meta({ path: true }),
  }),
  async run({ strictIds, documents }, context) {
    const { claimStdout } = await import("../../surfaces/mcp/transport/stdio.ts");
    const output = claimStdout();
    await serveAgent(context.openApp(), output, { strictIds, documents });
    return 0;
  },
});

interface AgentOptions {
  strictIds?: boolean;
  /** A folder to add as a collection. */
  documents?: string | undefined;
  onMessage?: () => void;
}

/** Delays the background work, so that it does not slow down the handshake. */
const backgroundDelayMs = 100;

/** Serves MCP on stdin and stdout until the client disconnects. */
export async function serveAgent(
  app: App,
  output: Writable,
  { strictIds = false, documents, onMessage = () => {} }: AgentOptions = {},
): Promise<void> {
  const [{ serveOnStdio }, { createServerFactory }] = await Promise.all([
    import("../../surfaces/mcp/transport/stdio.ts"),
    import("../../surfaces/mcp/server.ts"),
  ]);
  setTimeout(() => {
    app.startBackground();
    if (documents !== undefined) void addDocumentsFolder(app, documents);
  }, backgroundDelayMs).unref();
  await serveOnStdio({
    factory: createServerFactory(app, { clientKey: readClientKey(process.env) }),
    output,
    strictIds,
    drainMs: app.settings.timeLimit + 2_000,
    trace(direction, line) {
      onMessage();
      app.log.trace("mcp:protocol", () => `${direction === "in" ? "<-" : "->"} ${line}`);
    },
    onerror: (error) => app.log.trace("mcp:protocol", () => error.message),
  });
}
