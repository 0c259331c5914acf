import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bridge } from "./commands/bridge.ts";
import { evaluate } from "./commands/eval.ts";
import { mcp } from "./commands/mcp.ts";
import { objectCommands } from "./commands/objects.ts";
import { pageLink } from "./commands/page-link.ts";
import { serve, server } from "./commands/serve.ts";
import type { HostJob } from "./host.ts";
import { startHostProcess } from "./kernel/host/process.ts";
import { type Identity, openLibrary } from "./kernel/library.ts";
import { makeLog } from "./kernel/log.ts";
import type { Settings } from "./kernel/settings.ts";
import { shelvesFor } from "./shelf-choice.ts";
import { identityOf, type ProgramName } from "./surfaces/cli/identity.ts";
import { outputOn } from "./surfaces/cli/output.ts";
import { runCommandLine } from "./surfaces/cli/run-command-line.ts";

/** What the worker thread of a host runs. */
export const serveHost = async (): Promise<void> => (await import("./host.ts")).serveHost();

/** Put in by the build from `package.json`. */
declare const LECTERN_VERSION: string;

/** Runs the program under one of its names, with the words that were typed, and ends the process. */
export async function run(program: ProgramName, argv = process.argv.slice(2)): Promise<void> {
  const shelves = await shelvesFor(argv);
  const home = dirname(dirname(fileURLToPath(import.meta.url)));
  const places = { web: join(home, "dist", "web"), sample: join(home, "sample") };
  const script = process.argv[1] ?? join(home, "dist", "lectern.js");
  const open = (
    settings: Settings,
    identity: Identity = identityOf(program, LECTERN_VERSION, undefined),
    { isServing = false } = {},
  ) =>
    openLibrary({
      shelves,
      settings,
      identity,
      ...(isServing && {
        startHost: ({ name }) =>
          startHostProcess({ shelf: name, settings, identity } satisfies HostJob),
      }),
      log: makeLog({
        level: settings.logLevel,
        debug: settings.debug,
        write: (line) => process.stderr.write(line),
      }),
    });
  const code = await runCommandLine({
    argv,
    env: process.env,
    cwd: process.cwd(),
    stdout: outputOn(1),
    stderr: outputOn(2),
    program,
    version: LECTERN_VERSION,
    script,
    shelves,
    commands: [
      serve(places),
      server(places),
      mcp,
      bridge(script),
      pageLink,
      evaluate(open),
      ...objectCommands(program === "qmdc" ? "" : "objects "),
    ],
    askServer: async (...asked) => (await import("./commands/server-call.ts")).askServer(...asked),
    openLibrary: open,
  });
  // Everything is written by now; what ignores its signal must not keep the process.
  process.exit(code);
}
