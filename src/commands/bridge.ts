import * as z from "zod";
import { clientKeyVariable } from "../kernel/client-key.ts";
import { filesOf } from "../kernel/settings.ts";
import { programCommand } from "../surfaces/cli/command.ts";
import { lastingWords } from "../surfaces/cli/typed-words.ts";
import { loopbackFlags } from "./listening-flags.ts";
import { stopped } from "./stopping.ts";

/** `script` is the file that Node was started with: each connection gets a process of it. */
export const bridge = (script: string) =>
  programCommand({
    cli: "bridge",
    summary: "Serve agents over TCP, one server process for each connection",
    group: "serving",
    input: z.object({
      port: z.coerce.number().int().min(0).max(65_535).default(8080).describe("The port"),
      host: z.string().default("127.0.0.1").describe("The address; loopback only"),
      maxConnections: z.int().min(1).max(10_000).default(64).describe("Most clients at once"),
      idleMinutes: z.number().positive().default(15).describe("Silence after which one is closed"),
      ...loopbackFlags,
    }),
    async run(
      { port, host, maxConnections, idleMinutes, allowUser, openLoopback },
      { err, settings, globals },
    ) {
      // Whoever connects to a port is not the client that a person has started and given a key.
      delete process.env[clientKeyVariable];
      const { startBridge } = await import("../surfaces/bridge/bridge.ts");
      const { makeLog } = await import("../kernel/log.ts");
      const log = makeLog({
        level: settings.logLevel,
        debug: settings.debug,
        write: (line) => process.stderr.write(line),
      });
      const { openAdmission, ruleInWords } = await import("../kernel/peers/admission.ts");
      const { ensureSecret } = await import("../kernel/home-secret.ts");
      const admission = await openAdmission({ allowUsers: allowUser, openLoopback });
      const running = await startBridge({
        admission,
        secret: ensureSecret(filesOf(settings).secret),
        command: [process.execPath, script, "mcp", ...lastingWords(globals)],
        host,
        port,
        maxConnections,
        idleMs: idleMinutes * 60_000,
        log,
      });
      await err.write(`The bridge listens on ${running.address}\n${ruleInWords[admission.rule]}\n`);
      await stopped();
      await running.close();
      return 0;
    },
  });
