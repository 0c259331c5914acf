import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { evalCommand } from "./commands/evaluation/eval.ts";
import type { CommandServer } from "./commands/forwarding/command-server.ts";
import { objectCommands } from "./commands/objects/objects.ts";
import { bridgeCommand } from "./commands/serving/bridge.ts";
import { mcpCommand } from "./commands/serving/mcp.ts";
import { pageLinkCommand } from "./commands/serving/page-link.ts";
import { serveCommand, serverCommand } from "./commands/serving/serve.ts";
import type { HostJob } from "./host.ts";
import type { Settings } from "./kernel/home/settings.ts";
import { startHostProcess } from "./kernel/host/host-process.ts";
import { type App, type Identity, openApp } from "./kernel/runtime/app.ts";
import { createLog } from "./kernel/runtime/log.ts";
import { loadShelvesFor } from "./shelf-choice.ts";
import { openProcessOutput } from "./surfaces/cli/output/process-output.ts";
import { identityOfProgram, type ProgramName } from "./surfaces/cli/program-identity.ts";
import { runCommandLine } from "./surfaces/cli/run-command-line.ts";

/** Entry point of a host's worker thread. */
export const runHostThread = async (): Promise<void> => (await import("./host.ts")).serveHost();

/** Defined by the build from `package.json`. */
declare const LECTERN_VERSION: string;

/**
 * Runs the program under one of its names with the given arguments, and ends the process. `build` is
 * the fingerprint of the code.
 */
export async function run(
  program: ProgramName,
  argv: readonly string[],
  build: string,
): Promise<void> {
  const shelves = await loadShelvesFor(argv);
  const home = dirname(dirname(fileURLToPath(import.meta.url)));
  const assetFolders = { web: join(home, "dist", "web"), sample: join(home, "sample") };
  const script = process.argv[1] ?? join(home, "dist", "lectern.js");
  const commands = [
    serveCommand(assetFolders),
    serverCommand(assetFolders),
    mcpCommand,
    bridgeCommand(script),
    pageLinkCommand,
    evalCommand(openConfiguredApp),
    ...objectCommands(program === "qmdc" ? "" : "objects "),
  ];
  const code = await runCommandLine({
    argv,
    env: process.env,
    cwd: process.cwd(),
    stdout: openProcessOutput(1),
    stderr: openProcessOutput(2),
    confirm:
      process.stdin.isTTY && process.stdout.isTTY
        ? async (question) =>
            (await import("./surfaces/cli/confirm.ts")).openConfirm(
              process.stdin,
              process.stdout,
            )(question)
        : undefined,
    program,
    version: LECTERN_VERSION,
    script,
    shelves,
    commands,
    callServer: async (...call) => (await import("./commands/server-call.ts")).callServer(...call),
    openApp: openConfiguredApp,
  });
  // All output has been written. Work that ignores its abort signal must not keep the process alive.
  process.exit(code);

  function openConfiguredApp(
    settings: Settings,
    identity: Identity = identityOfProgram(program, LECTERN_VERSION, undefined),
    { isServing = false } = {},
  ): App {
    return openApp({
      shelves,
      settings,
      identity,
      ...(isServing && {
        startHost: ({ name }) =>
          startHostProcess({ shelf: name, settings, identity } satisfies HostJob),
        whileWatching: serveCommandsOf,
      }),
      log: createLog({
        level: settings.logLevel,
        debug: settings.debug,
        write: (line) => process.stderr.write(line),
      }),
    });
  }

  async function serveCommandsOf(app: App): Promise<CommandServer> {
    const { serveCommands } = await import("./commands/forwarding/command-server.ts");
    return serveCommands({
      app,
      build,
      commandLine: { commands, script, version: LECTERN_VERSION },
    });
  }
}
