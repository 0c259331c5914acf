import * as z from "zod";
import { clientKeyVariable } from "../../kernel/calls/client-key.ts";
import { homeFiles } from "../../kernel/home/settings.ts";
import { serverFlagWords } from "../../surfaces/cli/arguments/shell-words.ts";
import { programCommand } from "../../surfaces/cli/command.ts";
import { loopbackFlags } from "./http-flags.ts";
import { waitForTermination } from "./termination.ts";

/** `script` is the main script; the bridge starts one process of it per connection. */
export const bridgeCommand = (script: string) =>
  programCommand({
    cli: "bridge",
    summary: "Serve agents over TCP with one server process per connection",
    group: "serving",
    input: z.object({
      port: z.coerce
        .number()
        .int()
        .min(0)
        .max(65_535)
        .default(8080)
        .describe("The port to listen on"),
      host: z.string().default("127.0.0.1").describe("The address to listen on; loopback only"),
      maxConnections: z
        .int()
        .min(1)
        .max(10_000)
        .default(64)
        .describe("Maximum number of concurrent clients"),
      idleMinutes: z
        .number()
        .positive()
        .default(15)
        .describe("Close connections after this many minutes without data"),
      ...loopbackFlags,
    }),
    async run(
      { port, host, maxConnections, idleMinutes, allowUser, openLoopback },
      { err, settings, globals },
    ) {
      // The key belongs to the client that started this process, not to clients that connect over TCP.
      delete process.env[clientKeyVariable];
      const { startBridge } = await import("../../surfaces/bridge/bridge.ts");
      const { createLog } = await import("../../kernel/runtime/log.ts");
      const log = createLog({
        level: settings.logLevel,
        debug: settings.debug,
        write: (line) => process.stderr.write(line),
      });
      const { openAdmission, describeAdmission } = await import("../../kernel/peers/admission.ts");
      const { ensureSecret } = await import("../../kernel/home/home-secret.ts");
      const admission = await openAdmission({ allowUsers: allowUser, openLoopback });
      const running = await startBridge({
        admission,
        secret: ensureSecret(homeFiles(settings).secret),
        command: [process.execPath, script, "mcp", ...serverFlagWords(globals)],
        host,
        port,
        maxConnections,
        idleMs: idleMinutes * 60_000,
        log,
      });
      await err.write(
        `The bridge listens on ${running.address}\n${describeAdmission(admission)}\n`,
      );
      await waitForTermination();
      await running.close();
      return 0;
    },
  });
