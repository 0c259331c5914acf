import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { createInterface } from "node:readline";
import { type Log, readLogLine } from "../../kernel/log.ts";
import type { Admission } from "../../kernel/peers/admission.ts";
import { sameSecret } from "../../kernel/same-secret.ts";
import { judgeBeginning } from "./first-bytes.ts";

export interface Connection {
  /** Resolves when the socket is closed and no process is left. */
  readonly ended: Promise<void>;
  /** Whether it has said nothing yet that a server could answer. */
  readonly isSilent: boolean;
  close(): void;
}

export interface ConnectionOptions {
  number: number;
  /** The program that serves, and its arguments. */
  command: readonly string[];
  /** How long nobody may say anything. */
  idleMs: number;
  /** How long the server may go on once its client has sent all it wanted to. */
  drainMs: number;
  judge: Admission["judge"];
  /** The home's secret, which a peer that is not known by its user sends as its first line. */
  secret: string | undefined;
  log: Log;
}

/** How long a server may take to obey, and a client to notice that we have hung up. */
const patienceMs = 2_000;

/**
 * Joins one socket to a server process of its own, which is started when the first bytes look like
 * messages. Either side may end first: what a client's last messages ask for is still answered,
 * and a server whose client has gone is ended, by force if need be.
 */
export function joinToServer(socket: Socket, options: ConnectionOptions): Connection {
  const { number, command, idleMs, drainMs, judge, secret, log } = options;
  let server: ChildProcess | undefined;
  let beginning: Buffer = Buffer.alloc(0);
  let drainTimer: NodeJS.Timeout | undefined;
  let isJudging = false;

  const listen = (chunk: Buffer): void => {
    beginning = Buffer.concat([beginning, chunk]);
    const verdict = judgeBeginning(beginning);
    if (verdict === "undecided") return;
    socket.off("data", listen);
    if (verdict === "messages") {
      void admit();
      return;
    }
    log("warn", "Refused a connection that begins like HTTP or TLS.", { connection: number });
    dismiss(socket, refusal(-32700, "Parse error: send JSON-RPC messages, one a line, not HTTP"));
  };

  /** Nothing is started for a peer that may not be served. What it sends meanwhile waits. */
  const admit = async (): Promise<void> => {
    if (isJudging) return;
    isJudging = true;
    socket.pause();
    const { kind } = await judge(socket);
    isJudging = false;
    if (socket.destroyed) return;
    if (kind === "stranger") {
      const rest = behindSecret(beginning, secret);
      if (rest === "undecided" && !socket.readableEnded) {
        socket.on("data", listen).resume();
        return;
      }
      if (typeof rest === "string") {
        log("warn", "Refused a connection of another user.", { connection: number });
        dismiss(socket, refusal(-32600, otherUser));
        return;
      }
      beginning = rest;
    }
    start();
    if (socket.readableEnded) endAfterDraining();
  };

  const start = (): void => {
    const [program = "", ...words] = command;
    server = spawn(program, words, { stdio: ["pipe", "pipe", "pipe"], windowsHide: true });
    const { pid } = server;
    server.once("spawn", () => log("debug", "A server was started.", { connection: number, pid }));
    server.once("error", (error) => {
      log("error", "The server of a connection failed.", { connection: number, error });
      dismiss(socket, refusal(-32603, "Internal error: the server could not be started"));
    });
    server.once("close", (code, signal) => {
      log("debug", "A server has ended.", { connection: number, code: code ?? signal });
      dismiss(socket);
    });
    const { stdin, stdout, stderr } = server;
    // Without a free file handle there are no pipes; the error event tells of it.
    if (!stdin || !stdout || !stderr) return;
    // A server that has ended breaks the pipe to it; its end is seen above.
    stdin.on("error", () => {});
    stdin.write(beginning);
    socket.pipe(stdin);
    stdout.pipe(socket, { end: false });
    createInterface({ input: stderr }).on("line", (line) => {
      const { level, message } = readLogLine(line);
      log(level, message, { connection: number });
    });
  };

  const endAfterDraining = (): void => {
    drainTimer = setTimeout(() => socket.destroy(), drainMs);
  };

  const clientHasSentAll = (): void => {
    // Too little was said to judge by; the server will say what is wrong with it.
    if (!server && beginning.length > 0 && !socket.writableEnded) void admit();
    else if (server) endAfterDraining();
    else dismiss(socket);
  };

  socket.on("data", listen);
  socket.once("end", clientHasSentAll);
  socket.on("error", () => {});
  socket.setTimeout(idleMs, () => {
    log("info", "Closed an idle connection.", { connection: number });
    socket.destroy();
  });
  const ended = new Promise<void>((resolve) => {
    socket.once("close", () => {
      clearTimeout(drainTimer);
      resolve(server ? end(server) : undefined);
    });
  });
  return {
    ended,
    get isSilent() {
      return server === undefined;
    },
    close: () => socket.destroy(),
  };
}

const otherUser =
  "Invalid request: only processes of the user who runs this bridge are served. Send the home's secret as the first line, or let the bridge allow your user with --allow-user.";

/**
 * What follows a first line that is the home's secret. Undecided while that line may still become
 * it: a secret has 43 letters, and no message begins with one.
 */
function behindSecret(
  beginning: Buffer,
  secret: string | undefined,
): Buffer | "undecided" | "wrong" {
  const end = beginning.indexOf("\n");
  const line = beginning
    .subarray(0, end < 0 ? undefined : end)
    .toString("latin1")
    .trimEnd();
  if (secret === undefined || !/^[\w-]{0,43}$/.test(line)) return "wrong";
  if (end < 0) return "undecided";
  return sameSecret(line, secret) ? beginning.subarray(end + 1) : "wrong";
}

/** Hangs up. What still comes in is read and forgotten, or the client might not see our last line. */
export function dismiss(socket: Socket, lastLine = ""): void {
  if (socket.writableEnded || socket.destroyed) return;
  socket.unpipe();
  socket.resume();
  socket.end(lastLine);
  const timer = setTimeout(() => socket.destroy(), patienceMs);
  socket.once("close", () => clearTimeout(timer));
}

/** An answer to nothing in particular, as JSON-RPC words it. */
export const refusal = (code: number, message: string): string =>
  `${JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message } })}\n`;

function end(server: ChildProcess): Promise<void> {
  if (server.pid === undefined || server.exitCode !== null || server.signalCode !== null) {
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    const force = setTimeout(() => server.kill("SIGKILL"), patienceMs);
    server.once("exit", () => {
      clearTimeout(force);
      resolve();
    });
    server.stdin?.destroy();
    server.stdout?.destroy();
    server.kill("SIGTERM");
  });
}
