import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { askServer } from "../../src/commands/server-call.ts";
import { openLibrary } from "../../src/kernel/library.ts";
import { makeLog } from "../../src/kernel/log.ts";
import { shelves } from "../../src/shelves.ts";
import { runCommandLine } from "../../src/surfaces/cli/run-command-line.ts";
import type { Ended } from "../journeys/program.ts";

/** A command of an operation, as the program runs it, without a process of its own. */
export async function typed(
  argv: readonly string[],
  { home, cwd }: { home: string; cwd: string },
): Promise<Ended> {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const heard = Promise.all([text(out), text(err)]);
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
    askServer,
    openLibrary: (settings, identity) =>
      openLibrary({
        shelves,
        settings,
        identity,
        log: makeLog({ level: settings.logLevel, write: (line) => err.write(line) }),
      }),
  });
  out.end();
  err.end();
  const [stdout, stderr] = await heard;
  return { code, stdout, stderr };
}
