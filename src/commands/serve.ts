import { mkdirSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { Library } from "../kernel/library.ts";
import type { Settings } from "../kernel/settings.ts";
import { type CommandContext, programCommand } from "../surfaces/cli/command.ts";
import { listening } from "./listening-flags.ts";
import { serveAgent } from "./mcp.ts";
import { stopped } from "./stopping.ts";

/** Where the program's own files are. */
export interface Places {
  /** The built web app. */
  web: string;
  /** The library that ships with the program. */
  sample: string;
}

export const serve = (places: Places) =>
  programCommand({
    cli: "serve",
    summary: "Serve the page, REST and MCP over HTTP",
    group: "serving",
    input: z.object({
      ...listening,
      sample: z.boolean().default(false).describe("Serve the library that ships with Lectern"),
    }),
    async run({ sample, ...where }, context) {
      const library = sample ? await sampleLibrary(context, places.sample) : context.library();
      const stop = await (await listener())(library, where, context, places.web);
      await stopped();
      await stop();
      return 0;
    },
  });

export const server = (places: Places) =>
  programCommand({
    cli: "server",
    summary: "Serve over HTTP, over stdin and stdout, or both, in one process",
    group: "serving",
    input: z.object({
      ...listening,
      transport: z.enum(["both", "mcp", "http"]).default("both").describe("Which ways in"),
    }),
    async run({ transport, ...where }, context) {
      const { claimStdout } = await import("../surfaces/mcp/stdio.ts");
      const output = transport === "http" ? undefined : claimStdout();
      const library = context.library();
      const stop =
        transport === "mcp"
          ? undefined
          : await (await listener())(library, where, context, places.web);
      if (!output) await stopped();
      else {
        // A client that spoke and went takes the server with it. Where nobody ever spoke, such as
        // under a supervisor that closes stdin, HTTP goes on alone.
        let spoke = false;
        await serveAgent(library, output, {
          onMessage: () => {
            spoke = true;
          },
        });
        if (!spoke && stop) await stopped();
      }
      await stop?.();
      return 0;
    },
  });

/** Loaded late: most commands serve nobody. */
const listener = async () => (await import("./listening.ts")).listen;

/** The sample has a home of its own, so that it never mixes with somebody's documents. */
async function sampleLibrary(context: CommandContext, folder: string): Promise<Library> {
  const home = join(context.settings.dataFolder, "sample");
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const settings: Settings = {
    ...context.settings,
    dataFolder: home,
    configFolder: home,
    root: folder,
  };
  const library = context.library(settings);
  library.house.config.update((draft) => {
    for (const name of ["handbook", "notes", "catalogue"]) {
      draft.collections[name] = { path: join(folder, name), pattern: "**/*.md" };
    }
  });
  return library;
}
