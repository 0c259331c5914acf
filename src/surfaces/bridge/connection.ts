import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { createInterface } from "node:readline";
import { secretsEqual } from "../../kernel/home/equal-secrets.ts";
import type { Admission } from "../../kernel/peers/admission.ts";
import { type Log, parseLogLine } from "../../kernel/runtime/log.ts";
import { detectProtocol } from "./protocol-sniffer.ts";

export interface Connection {
  /** Resolves when the socket is closed and the server process has ended. */
  readonly ended: Promise<void>;
  /** Whether no server has been started, because the client has sent no message yet. */
  readonly isSilent: boolean;
  close(): void;
}

export interface ConnectionOptions {
  number: number;
  /** The command line of the stdio server. */
  command: readonly string[];
  /** The connection is closed after this time without data. */
  idleMs: number;
  /** How long the server may run after the client has ended its side. */
  drainMs: number;
  classify: Admission["classify"];
  /** The home's secret, which a peer of another or unknown user must send as its first line. */
  secret: string | undefined;
  log: Log;
}

/** How long a server may take to stop, and a client to close its side. */
const graceMs = 2_000;

/**
 * Connects a socket to its own server process, which is started when the first bytes look like
 * JSON-RPC. If the client ends first, its last requests are still answered. If it disconnects, the
 * server is terminated, and killed if it does not stop.
 */
export function connectToServerProcess(socket: Socket, options: ConnectionOptions): Connection {
  const { number, command, idleMs, drainMs, classify, secret, log } = options;
  let server: ChildProcess | undefined;
  let received: Buffer = Buffer.alloc(0);
  let drainTimer: NodeJS.Timeout | undefined;
  let isClassifying = false;

  const sniffProtocol = (chunk: Buffer): void => {
    received = Buffer.concat([received, chunk]);
    const verdict = detectProtocol(received);
    if (verdict === "undecided") return;
    socket.off("data", sniffProtocol);
    if (verdict === "messages") {
      void admit();
      return;
    }
    log("warn", "Refused a connection that starts like HTTP or TLS.", { connection: number });
    hangUp(
      socket,
      jsonRpcErrorLine(-32700, "Parse error: send JSON-RPC messages, one per line, not HTTP"),
    );
  };

  /** Identifies the peer before a server is started. The socket is paused meanwhile. */
  const admit = async (): Promise<void> => {
    if (isClassifying) return;
    isClassifying = true;
    socket.pause();
    const { kind } = await classify(socket);
    isClassifying = false;
    if (socket.destroyed) return;
    if (kind === "stranger") {
      const rest = stripSecretLine(received, secret);
      if (rest === "undecided" && !socket.readableEnded) {
        socket.on("data", sniffProtocol).resume();
        return;
      }
      if (typeof rest === "string") {
        log("warn", "Refused a connection of another user.", { connection: number });
        hangUp(socket, jsonRpcErrorLine(-32600, otherUserMessage));
        return;
      }
      received = rest;
    }
    start();
    if (socket.readableEnded) endAfterDraining();
  };

  const start = (): void => {
    const [program = "", ...args] = command;
    server = spawn(program, args, { stdio: ["pipe", "pipe", "pipe"], windowsHide: true });
    const { pid } = server;
    server.once("spawn", () =>
      log("debug", "Server process started.", { connection: number, pid }),
    );
    server.once("error", (error) => {
      log("error", "Server process failed to start.", { connection: number, error });
      hangUp(socket, jsonRpcErrorLine(-32603, "Internal error: the server could not be started"));
    });
    server.once("close", (code, signal) => {
      log("debug", "Server process ended.", { connection: number, code: code ?? signal });
      hangUp(socket);
    });
    const { stdin, stdout, stderr } = server;
    // Without a free file descriptor there are no pipes; the error event reports it.
    if (!stdin || !stdout || !stderr) return;
    // EPIPE after the server has ended; the close event above handles that.
    stdin.on("error", () => {});
    stdin.write(received);
    socket.pipe(stdin);
    stdout.pipe(socket, { end: false });
    createInterface({ input: stderr }).on("line", (line) => {
      const { level, message } = parseLogLine(line);
      log(level, message, { connection: number });
    });
  };

  const endAfterDraining = (): void => {
    drainTimer = setTimeout(() => socket.destroy(), drainMs);
  };

  const onClientEnd = (): void => {
    // Too few bytes to detect the protocol; the server reports what is wrong with them.
    if (!server && received.length > 0 && !socket.writableEnded) void admit();
    else if (server) endAfterDraining();
    else hangUp(socket);
  };

  socket.on("data", sniffProtocol);
  socket.once("end", onClientEnd);
  socket.on("error", () => {});
  socket.setTimeout(idleMs, () => {
    log("info", "Closed an idle connection.", { connection: number });
    socket.destroy();
  });
  const ended = new Promise<void>((resolve) => {
    socket.once("close", () => {
      clearTimeout(drainTimer);
      resolve(server ? stopServerProcess(server) : undefined);
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

const otherUserMessage =
  "Invalid request: only processes of the user who runs this bridge may connect. Send the home's secret as the first line, or start the bridge with --allow-user.";

/**
 * The bytes after a first line with the home's secret. "undecided" while the line is incomplete and
 * may still become the secret: it has 43 characters of base64url, which no message starts with.
 */
function stripSecretLine(
  received: Buffer,
  secret: string | undefined,
): Buffer | "undecided" | "wrong" {
  const end = received.indexOf("\n");
  const line = received
    .subarray(0, end < 0 ? undefined : end)
    .toString("latin1")
    .trimEnd();
  if (secret === undefined || !/^[\w-]{0,43}$/.test(line)) return "wrong";
  if (end < 0) return "undecided";
  return secretsEqual(line, secret) ? received.subarray(end + 1) : "wrong";
}

/**
 * Closes a socket after a last line. Incoming data is read and discarded: unread data could cause a
 * reset, and the client would lose the line.
 */
export function hangUp(socket: Socket, lastLine = ""): void {
  if (socket.writableEnded || socket.destroyed) return;
  socket.unpipe();
  socket.resume();
  socket.end(lastLine);
  const timer = setTimeout(() => socket.destroy(), graceMs);
  socket.once("close", () => clearTimeout(timer));
}

/** A JSON-RPC error that is not the response to a request. */
export const jsonRpcErrorLine = (code: number, message: string): string =>
  `${JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message } })}\n`;

function stopServerProcess(server: ChildProcess): Promise<void> {
  if (server.pid === undefined || server.exitCode !== null || server.signalCode !== null) {
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    const force = setTimeout(() => server.kill("SIGKILL"), graceMs);
    server.once("exit", () => {
      clearTimeout(force);
      resolve();
    });
    server.stdin?.destroy();
    server.stdout?.destroy();
    server.kill("SIGTERM");
  });
}
