import { type AddressInfo, createServer, type Server } from "node:net";
import { Failure, invalid } from "../../kernel/failure.ts";
import type { Log } from "../../kernel/log.ts";
import { type Admission, isLoopback, openAdmission } from "../../kernel/peers/admission.ts";
import { type Connection, dismiss, joinToServer, refusal } from "./connection.ts";

export interface BridgeOptions {
  /** The program that serves one connection on its stdio, and its arguments. */
  command: readonly string[];
  host?: string | undefined;
  port?: number | undefined;
  maxConnections?: number | undefined;
  idleMs?: number | undefined;
  drainMs?: number | undefined;
  /** Says who connects; our own user and root are served where nothing else is said. */
  admission?: Admission | undefined;
  /** The home's secret, which serves anybody who sends it as the first line. */
  secret?: string | undefined;
  log: Log;
}

export interface Bridge {
  /** Where clients find it: `127.0.0.1:8080`. */
  readonly address: string;
  readonly port: number;
  /** Hangs up on everybody and resolves when no server process is left. */
  close(): Promise<void>;
}

/**
 * Lets clients on this machine reach the stdio server over TCP, each with a process of its own.
 * Bytes pass as they are, so framing and limits are those of stdio.
 */
export async function startBridge({
  command,
  host = "127.0.0.1",
  port = 8080,
  maxConnections = 64,
  idleMs = 15 * 60_000,
  drainMs = 60_000,
  admission,
  secret,
  log,
}: BridgeOptions): Promise<Bridge> {
  if (host !== "localhost" && !isLoopback(host)) {
    throw invalid(`The bridge serves this machine only: host '${host}' is not loopback.`, [
      "Use 127.0.0.1, ::1 or localhost.",
    ]);
  }
  const { judge } = admission ?? (await openAdmission());
  const connections = new Set<Connection>();
  let count = 0;
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    if (connections.size >= maxConnections) makeRoom(connections, log);
    if (connections.size >= maxConnections) {
      socket.on("error", () => {});
      log("warn", "Refused a connection over the limit.", { limit: maxConnections });
      dismiss(socket, refusal(-32603, tooMany(maxConnections)));
      return;
    }
    count += 1;
    const connection = joinToServer(socket, {
      number: count,
      command,
      idleMs,
      drainMs,
      judge,
      secret,
      log,
    });
    connections.add(connection);
    void connection.ended.then(() => connections.delete(connection));
  });
  const bound = await listen(server, host, port);
  return {
    address: `${bound.family === "IPv6" ? `[${bound.address}]` : bound.address}:${bound.port}`,
    port: bound.port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const connection of connections) connection.close();
      await Promise.all([...connections].map(({ ended }) => ended));
      await closed;
    },
  };
}

/** A client that says nothing gives way to one that may, the first to come first. */
function makeRoom(connections: Set<Connection>, log: Log): void {
  const silent = [...connections].find(({ isSilent }) => isSilent);
  if (!silent) return;
  log("info", "Closed a silent connection to make room.");
  connections.delete(silent);
  silent.close();
}

const tooMany = (limit: number): string =>
  `Too many connections: at most ${limit} are served at once. Close one, or try again later.`;

function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EADDRINUSE" && error.code !== "EACCES") return reject(error);
      const message = `Port ${port} on ${host} cannot be used: it is taken or not allowed.`;
      reject(new Failure("conflict", "port-taken", message, { hints: ["Choose another port."] }));
    });
    server.listen(port, host, () => {
      const address = server.address();
      // A server that listens on a port has an address of this form; the others are for pipes.
      if (address && typeof address !== "string") resolve(address);
    });
  });
}
