import { mkdirSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { defaultPattern } from "../../kernel/home/config.ts";
import type { Settings } from "../../kernel/home/settings.ts";
import type { App } from "../../kernel/runtime/app.ts";
import { type CommandContext, programCommand } from "../../surfaces/cli/command.ts";
import { httpFlags } from "./http-flags.ts";
import { serveAgent } from "./mcp.ts";
import { waitForTermination } from "./termination.ts";

/** The folders of the program's own files. */
export interface AssetFolders {
  /** The built web app. */
  web: string;
  /** The sample library. */
  sample: string;
}

export const serveCommand = (folders: AssetFolders) =>
  programCommand({
    cli: "serve",
    summary: "Serve the web app, REST and MCP over HTTP",
    group: "serving",
    input: z.object({
      ...httpFlags,
      sample: z.boolean().default(false).describe("Serve the sample library"),
    }),
    async run({ sample, ...httpOptions }, context) {
      const app = sample ? await openSampleApp(context, folders.sample) : context.openApp();
      const stop = await (await loadHttpServer())(app, httpOptions, context, folders.web);
      await waitForTermination();
      await stop();
      return 0;
    },
  });

export const serverCommand = (folders: AssetFolders) =>
  programCommand({
    cli: "server",
    summary: "Serve over HTTP, over stdin and stdout, or over both",
    group: "serving",
    input: z.object({
      ...httpFlags,
      transport: z
        .enum(["both", "mcp", "http"])
        .default("both")
        .describe("The transports to serve"),
    }),
    async run({ transport, ...httpOptions }, context) {
      const { claimStdout } = await import("../../surfaces/mcp/transport/stdio.ts");
      const output = transport === "http" ? undefined : claimStdout();
      const app = context.openApp();
      const stop =
        transport === "mcp"
          ? undefined
          : await (await loadHttpServer())(app, httpOptions, context, folders.web);
      if (!output) await waitForTermination();
      else {
        // The server stops when a client that has sent messages disconnects. If no client ever sent a
        // message, for example because a supervisor closed stdin, HTTP continues alone.
        let hadClient = false;
        await serveAgent(app, output, {
          onMessage: () => {
            hadClient = true;
          },
        });
        if (!hadClient && stop) await waitForTermination();
      }
      await stop?.();
      return 0;
    },
  });

/** Loaded on demand to keep other commands fast. */
const loadHttpServer = async () => (await import("./http-server.ts")).serveOverHttp;

/** The sample library has its own home, separate from the user's documents. */
async function openSampleApp(context: CommandContext, folder: string): Promise<App> {
  const home = join(context.settings.dataFolder, "sample");
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const settings: Settings = {
    ...context.settings,
    dataFolder: home,
    configFolder: home,
    database: undefined,
    root: folder,
  };
  const app = context.openApp(settings);
  await app.runtime.store.run(
    app.runtime.config.update((draft) => {
      for (const name of ["handbook", "notes", "catalogue"]) {
        draft.collections[name] = { path: join(folder, name), pattern: defaultPattern };
      }
    }),
  );
  return app;
}
