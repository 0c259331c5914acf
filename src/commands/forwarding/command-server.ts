import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import * as z from "zod";
import { homeFiles } from "../../kernel/home/settings.ts";
import { bindHomeSocket } from "../../kernel/peers/home-socket.ts";
import type { App } from "../../kernel/runtime/app.ts";
import type { OutputStream } from "../../surfaces/cli/output/text-output.ts";
import type { ProgramName } from "../../surfaces/cli/program-identity.ts";
import { type CommandLine, runCommandLine } from "../../surfaces/cli/run-command-line.ts";
import {
  aliveIntervalMs,
  type ForwardedCommand,
  frameHeaderBytes,
  frameKinds,
  isForwardable,
  type Terminal,
} from "./forwarded-command.ts";

/** A longer request is not a command line: systems limit the length of arguments. */
const maxRequestBytes = 4 * 1024 * 1024;

export interface CommandServerOptions {
  app: App;
  /** The fingerprint of this program's code. */
  build: string;
  /** What does not depend on the command. */
  commandLine: Pick<CommandLine, "commands" | "script" | "version">;
}

export interface CommandServer {
  close(): Promise<void>;
}

/** Runs the reading commands of other processes, with the open index and the loaded models. */
export async function serveCommands(options: CommandServerOptions): Promise<CommandServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    serveConnection(socket, options);
  });
  const bound = await bindHomeSocket(server, homeFiles(options.app.settings).commandSocket);
  server.unref();
  return {
    async close() {
      bound.remove();
      if (!bound.isBound) return;
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function serveConnection(socket: Socket, options: CommandServerOptions): void {
  const interruption = new AbortController();
  let request = "";
  let isRunning = false;
  socket.setEncoding("utf8");
  socket.on("error", () => {});
  socket.on("close", () => interruption.abort());
  socket.on("data", (text: string) => {
    if (isRunning) return interruption.abort();
    request += text;
    const end = request.indexOf("\n");
    if (end === -1 && request.length <= maxRequestBytes) return;
    isRunning = true;
    if (request.length > end + 1) interruption.abort();
    run(socket, request.slice(0, end), interruption.signal, options).catch(() => {
      socket.end(frame(frameKinds.declined));
    });
  });
}

async function run(
  socket: Socket,
  request: string,
  interruption: AbortSignal,
  { app, build, commandLine }: CommandServerOptions,
): Promise<void> {
  const { data: command } = Request.safeParse(JSON.parse(request));
  if (command?.build !== build || !isAccepted(command, app)) {
    socket.end(frame(frameKinds.declined));
    return;
  }
  const reportAlive = (): unknown => socket.write(frame(frameKinds.alive));
  reportAlive();
  const timer = setInterval(reportAlive, aliveIntervalMs);
  try {
    const code = await runCommandLine({
      ...commandLine,
      argv: command.argv,
      env: command.env,
      cwd: command.cwd,
      program: command.program as ProgramName,
      shelves: app.catalogue.shelves,
      stdout: outputTo(socket, frameKinds.stdout, command.stdout),
      stderr: outputTo(socket, frameKinds.stderr, command.stderr),
      interruption,
      isForwarded: true,
      openApp: () => app,
    });
    socket.end(frame(frameKinds.exit, Buffer.from([code])));
  } finally {
    clearInterval(timer);
  }
}

const RequestedTerminal = z.object({ isTTY: z.boolean(), columns: z.int().min(0).optional() });

/** A program of the same user may send anything; a width that is no number would never end. */
const Request: z.ZodType<ForwardedCommand> = z.object({
  build: z.string(),
  program: z.string(),
  argv: z.array(z.string()),
  cwd: z.string(),
  env: z.record(z.string(), z.string()),
  home: z.object({ config: z.string(), data: z.string() }),
  stdout: RequestedTerminal,
  stderr: RequestedTerminal,
});

/** A process with limits of its own, or of another home, would give other results. */
const isAccepted = ({ argv, env, program, home }: ForwardedCommand, { settings }: App): boolean =>
  isForwardable(argv, env) &&
  (program === "lectern" || program === "qmd") &&
  settings.forceRoot === undefined &&
  settings.shelves === undefined &&
  settings.dataFolder === home.data &&
  settings.configFolder === home.config;

function outputTo(socket: Socket, kind: number, { isTTY, columns }: Terminal): OutputStream {
  return {
    isTTY,
    ...(columns !== undefined && { columns }),
    write(text, done) {
      if (text === "") return done();
      socket.write(frame(kind, Buffer.from(text)), done);
    },
  };
}

function frame(kind: number, payload: Uint8Array = new Uint8Array()): Buffer {
  const header = Buffer.alloc(frameHeaderBytes);
  header[0] = kind;
  header.writeUInt32LE(payload.length, 1);
  return Buffer.concat([header, payload]);
}
