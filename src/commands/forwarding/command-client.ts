import { fstatSync, lstatSync, writeSync } from "node:fs";
import type { Socket } from "node:net";
import { commandSocketIn } from "../../kernel/home/settings.ts";
import {
  aliveIntervalMs,
  describeClient,
  type ForwardedCommand,
  frameHeaderBytes,
  frameKinds,
  isForwardable,
  type Terminal,
} from "./forwarded-command.ts";

/** How long a server may take to accept a command. Without one, this process runs it. */
const acceptTimeoutMs = 500;
/** How long a server that is running a command may be silent. */
const silenceTimeoutMs = 10 * aliveIntervalMs;
const interruptedCode = 130;

/** Undefined if the address of the home is invalid, which the program reports. */
function describeThisClient(): ReturnType<typeof describeClient> | undefined {
  try {
    return describeClient(process.env);
  } catch {
    return undefined;
  }
}

/**
 * Lets the process that watches the home run this command. Calls `runHere` if there is none, or if it
 * declines. It is built as a file of its own, because loading the whole program takes longer than
 * the command.
 */
export function forwardCommand(
  { build, program, argv }: Pick<ForwardedCommand, "build" | "program" | "argv">,
  runHere: () => void,
): void {
  const client = isForwardable(argv, process.env) ? describeThisClient() : undefined;
  const path = client && commandSocketIn(client.home.data);
  if (!path || !isOwnSocket(path)) {
    runHere();
    return;
  }
  const command: ForwardedCommand = {
    build,
    program,
    argv,
    ...client,
    stdout: terminalAt(1),
    stderr: terminalAt(2),
  };
  // Loaded here, so that other commands do not pay for it. `import()` would load Node's module loader.
  const { createConnection } = process.getBuiltinModule("node:net");
  runThere(command, createConnection(path), runHere);
}

function runThere(command: ForwardedCommand, socket: Socket, runHere: () => void): void {
  let received: Buffer = Buffer.alloc(0);
  let isAccepted = false;
  let hasPrinted = false;
  const interrupt = (): void => {
    socket.write("\x03");
    // A second Ctrl+C ends this process immediately.
    process.removeListener("SIGINT", interrupt);
  };

  function stop(): void {
    process.removeListener("SIGINT", interrupt);
    socket.removeAllListeners();
    socket.on("error", () => {});
    socket.destroy();
  }
  /** A connection that ends early: the server was killed, or is frozen. */
  function fail(): void {
    stop();
    if (!hasPrinted) {
      runHere();
      return;
    }
    process.stderr.write("The process that ran this command has ended. Run the command again.\n");
    process.exitCode = 1;
  }
  function exit(code: number): void {
    stop();
    process.exitCode = code;
  }
  function print(descriptor: 1 | 2, text: Buffer): void {
    hasPrinted = true;
    writeFully(descriptor, text, () => exit(0));
  }

  function receive(kind: number | undefined, payload: Buffer): void {
    if (!isAccepted) {
      isAccepted = true;
      socket.setTimeout(silenceTimeoutMs, fail);
      process.on("SIGINT", interrupt);
    }
    if (kind === frameKinds.stdout) print(1, payload);
    else if (kind === frameKinds.stderr) print(2, payload);
    else if (kind === frameKinds.exit) exit(payload[0] ?? interruptedCode);
    else if (kind === frameKinds.declined) {
      stop();
      runHere();
    }
  }

  socket.setTimeout(acceptTimeoutMs, fail);
  socket.on("error", fail);
  socket.on("close", fail);
  socket.on("connect", () => socket.write(`${JSON.stringify(command)}\n`));
  socket.on("data", (bytes) => {
    received = received.length === 0 ? bytes : Buffer.concat([received, bytes]);
    while (received.length >= frameHeaderBytes) {
      const end = frameHeaderBytes + received.readUInt32LE(1);
      if (received.length < end) break;
      const [kind] = received;
      const payload = received.subarray(frameHeaderBytes, end);
      received = received.subarray(end);
      receive(kind, payload);
    }
  });
}

/** Whether a socket of this user is at a path: another user must not receive the arguments. */
function isOwnSocket(path: string): boolean {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat?.isSocket() === true && stat.uid === process.getuid?.();
  } catch {
    // The program reports a home that cannot be accessed.
    return false;
  }
}

/** Asks the descriptor first: creating Node's own stream loads code, and only a terminal needs it. */
function terminalAt(descriptor: 1 | 2): Terminal {
  if (!fstatSync(descriptor).isCharacterDevice()) return { isTTY: false };
  const { isTTY = false, columns } = descriptor === 1 ? process.stdout : process.stderr;
  return { isTTY, columns };
}

/** `onClosed` is called if the reader of the output has closed it. */
function writeFully(descriptor: 1 | 2, text: Buffer, onClosed: () => void): void {
  let rest = text;
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EAGAIN") {
      // The pipe is full and non-blocking: Node's stream waits until it can be written.
      const stream = descriptor === 1 ? process.stdout : process.stderr;
      stream.once("error", onClosed);
      stream.write(rest);
    } else onClosed();
  }
}
