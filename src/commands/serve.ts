import { mkdirSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { invalid } from "../kernel/failure.ts";
import type { Library } from "../kernel/library.ts";
import type { Settings } from "../kernel/settings.ts";
import { usualPort } from "../surfaces/cli/answer-flags.ts";
import { type CommandContext, programCommand } from "../surfaces/cli/command.ts";
import { serveAgent } from "./mcp.ts";
import { stopped } from "./stopping.ts";
import { tokenFrom } from "./token.ts";

/** Where the program's own files are. */
export interface Places {
  /** The built web app. */
  web: string;
  /** The library that ships with the program. */
  sample: string;
}

const listening = {
  port: z
    .array(z.coerce.number().int().min(0).max(65_535))
    .default([usualPort])
    .describe("The port; may be given several times, 0 takes a free one"),
  host: z.string().default("127.0.0.1").describe("The address; any but loopback needs a token"),
  allowHost: z
    .array(z.string().regex(/^[a-z0-9._-]+$/i, "a name such as docs.example.org, without a port"))
    .default([])
    .describe("A name by which a proxy reaches it; may be given several times, needs a token"),
  token: z
    .string()
    .regex(/^\S{8,}$/, "8 characters or more, and no blanks")
    .optional()
    .describe("Ask every caller for it; also LECTERN_TOKEN"),
};

type Listening = z.output<z.ZodObject<typeof listening>>;

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
      const stop = await listen(library, where, context, places);
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
      const stop = transport === "mcp" ? undefined : await listen(library, where, context, places);
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

async function listen(
  library: Library,
  { port, host, allowHost, token = tokenFrom(process.env) }: Listening,
  { err, program }: CommandContext,
  { web }: Places,
): Promise<() => Promise<void>> {
  if (allowHost.length > 0 && !token) {
    throw invalid("--allow-host needs a token: set one with --token or LECTERN_TOKEN.");
  }
  const [{ makeApp }, { namesOf, serveHttp }, { makeEndpoint }, { checkAll }] = await Promise.all([
    import("../surfaces/http/app.ts"),
    import("../surfaces/http/server.ts"),
    import("../surfaces/mcp/endpoint.ts"),
    import("../surfaces/cli/doctor-checks.ts"),
  ]);
  const endpoint = makeEndpoint(library);
  const app = makeApp({
    library,
    mcp: endpoint.fetch,
    examine: () => checkAll(library.settings, program, "glance"),
    web,
    token,
    boundHosts: token ? [...namesOf(host), ...allowHost] : [],
  });
  const http = await serveHttp({ app, host, ports: port, token });
  library.keep();
  const [first, ...others] = http.addresses;
  await err.write(
    [
      `${library.identity.title} is at ${first}`,
      `  page  ${first}/${token ? "?token=<the token>" : ""}`,
      `  MCP   ${first}/mcp`,
      `  REST  ${first}/openapi.json`,
      ...others.map((address) => `  also  ${address}`),
      "",
    ].join("\n"),
  );
  return async () => {
    await endpoint.close();
    await http.close();
  };
}

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
