import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { callServer } from "../../src/commands/server-call.ts";
import { openApp } from "../../src/kernel/runtime/app.ts";
import { createLog } from "../../src/kernel/runtime/log.ts";
import { shelves } from "../../src/shelves.ts";
import { runCommandLine } from "../../src/surfaces/cli/run-command-line.ts";
import type { Ended } from "../journeys/program.ts";

/** Runs the command of an operation like the program, in this process. */
export async function runCommand(
  argv: readonly string[],
  { home, cwd }: { home: string; cwd: string },
): Promise<Ended> {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const output = Promise.all([text(out), text(err)]);
  const code = await runCommandLine({
    argv,
    env: { ...process.env, LECTERN_HOME: home },
    cwd,
    stdout: out,
    stderr: err,
    program: "lectern",
    version: "0.0.0",
    shelves,
    commands: [],
    callServer,
    openApp: (settings, identity) =>
      openApp({
        shelves,
        settings,
        identity,
        log: createLog({ level: settings.logLevel, write: (line) => err.write(line) }),
      }),
  });
  out.end();
  err.end();
  const [stdout, stderr] = await output;
  return { code, stdout, stderr };
}
