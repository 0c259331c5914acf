import { type AddressInfo, createServer, type Server } from "node:net";
import { Failure, invalid } from "../../kernel/failure.ts";
import { type Admission, isLoopback, openAdmission } from "../../kernel/peers/admission.ts";
import type { Log } from "../../kernel/runtime/log.ts";
import { type Connection, connectToServerProcess, hangUp, jsonRpcErrorLine } from "./connection.ts";

export interface BridgeOptions {
  /** The command line of the stdio server, which is started once per connection. */
  command: readonly string[];
  host?: string | undefined;
  port?: number | undefined;
  maxConnections?: number | undefined;
  idleMs?: number | undefined;
  drainMs?: number | undefined;
  /** Identifies the user of a connection. The default admits our own user and root. */
  admission?: Admission | undefined;
  /** The home's secret. Any client that sends it as the first line is admitted. */
  secret?: string | undefined;
  log: Log;
}

export interface Bridge {
  /** The address for clients: `127.0.0.1:8080`. */
  readonly address: string;
  readonly port: number;
  /** Closes all connections and resolves when all server processes have ended. */
  close(): Promise<void>;
}

/**
 * Makes the stdio server available over TCP on this machine, with one process per client. Bytes are
 * passed through unchanged, so framing and limits are those of stdio.
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
    throw invalid(`The bridge accepts local connections only: host '${host}' is not loopback.`, [
      "Use 127.0.0.1, ::1 or localhost.",
    ]);
  }
  const { classify } = admission ?? (await openAdmission());
  const connections = new Set<Connection>();
  let count = 0;
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    if (connections.size >= maxConnections) evictSilentConnection(connections, log);
    if (connections.size >= maxConnections) {
      socket.on("error", () => {});
      log("warn", "Refused a connection over the limit.", { limit: maxConnections });
      hangUp(socket, jsonRpcErrorLine(-32603, tooManyConnections(maxConnections)));
      return;
    }
    count += 1;
    const connection = connectToServerProcess(socket, {
      number: count,
      command,
      idleMs,
      drainMs,
      classify,
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

/** At the limit, closes the oldest connection that has not sent a message yet. */
function evictSilentConnection(connections: Set<Connection>, log: Log): void {
  const silent = [...connections].find(({ isSilent }) => isSilent);
  if (!silent) return;
  log("info", "Closed a silent connection to make room.");
  connections.delete(silent);
  silent.close();
}

const tooManyConnections = (limit: number): string =>
  `Too many connections: the limit is ${limit}. Close one, or try again later.`;

function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EADDRINUSE" && error.code !== "EACCES") return reject(error);
      const message = `Port ${port} on ${host} cannot be used: it is in use or not permitted.`;
      reject(new Failure("conflict", "port-taken", message, { hints: ["Choose another port."] }));
    });
    server.listen(port, host, () => {
      const address = server.address();
      // The address of a server on a port is an object; strings are for pipes.
      if (address && typeof address !== "string") resolve(address);
    });
  });
}
