import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { Socket } from "node:net";
import { hostname, networkInterfaces } from "node:os";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import { Failure, invalid } from "../../../kernel/failure.ts";
import { type Admission, openAdmission, type Peer } from "../../../kernel/peers/admission.ts";
import { bindHomeSocket } from "../../../kernel/peers/home-socket.ts";
import type { ConnectionInfo } from "../auth/caller.ts";
import { limitConnections } from "./connection-limit.ts";

export interface ServeOptions {
  app: Pick<Hono, "fetch">;
  host?: string;
  ports: readonly number[];
  /** Required for addresses other than loopback. The guard in `app` must use the same token. */
  token?: string | undefined;
  /** Identifies the user of a connection. The default admits our own user and root. */
  admission?: Admission | undefined;
  /** An additional Unix socket, which only the owner of the home can open. */
  homeSocket?: string | undefined;
  limits?: Partial<typeof defaultLimits>;
}

export interface HttpServer {
  /** `http://127.0.0.1:18765`, one for each port. */
  readonly addresses: readonly string[];
  /** Whether the Unix socket is bound, and the reason if it is not and the user should know. */
  readonly homeSocket: { readonly isBound: boolean; readonly note?: string };
  /** Ends idle connections and streams immediately; running calls have `closeTimeout` to finish. */
  close(): Promise<void>;
}

/** Limits against slow clients. All times are in milliseconds. */
const defaultLimits = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  /** Longer than the minute for which proxies reuse a connection: a request on a closed one fails. */
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16_384,
  /** Per port; enough for a thousand open pages and other clients. */
  maxConnections: 2_000,
  closeTimeout: 1_000,
};

/** Listens on all ports. If one is in use, the others are closed again. */
export async function serveHttp({
  app,
  host = "127.0.0.1",
  ports,
  token,
  admission,
  homeSocket,
  limits,
}: ServeOptions): Promise<HttpServer> {
  if (!isLoopback(host) && !token) {
    throw new Failure("forbidden", "token-needed", `Listening on ${host} needs a token.`, {
      hints: ["Set one with --token or LECTERN_TOKEN, or listen on 127.0.0.1."],
    });
  }
  const { maxConnections, closeTimeout, ...timing } = { ...defaultLimits, ...limits };
  const streams = new Set<ServerResponse>();
  const { classify } = admission ?? (await openAdmission());
  const identifications = new WeakMap<Socket, Promise<Peer>>();
  const connectionOf = numberSockets();
  const listener = createListener(app, streams, ({ socket }) => ({
    listener: "tcp",
    connectionId: connectionOf(socket),
    peer() {
      const peer = classify(socket);
      identifications.set(socket, peer);
      return peer;
    },
  }));
  const servers: Server[] = [];
  try {
    for (const port of new Set(ports)) {
      const server = createServer(timing, listener);
      limitConnections(server, maxConnections);
      endAfterAuthentication(server, identifications);
      await listen(server, host, port);
      servers.push(server);
    }
  } catch (error) {
    for (const server of servers) server.close();
    throw error;
  }
  const addresses = servers.map(addressOf);
  const home = createServer(
    timing,
    createListener(app, streams, ({ socket }) => ({
      listener: "home",
      connectionId: connectionOf(socket),
      peer: async () => ({ kind: "own", name: "home" }),
    })),
  );
  limitConnections(home, maxConnections);
  const bound = homeSocket === undefined ? noHomeSocket : await bindHomeSocket(home, homeSocket);
  if (bound.isBound) servers.push(home);
  return {
    addresses,
    homeSocket: bound,
    close() {
      bound.remove();
      return closeAll(servers, streams, closeTimeout);
    },
  };
}

/**
 * A client that half-closes its connection has left, so its call is cancelled. But while its user is
 * still being identified, the connection stays open, so that an immediate response can be sent.
 */
function endAfterAuthentication(
  server: Server,
  identifications: WeakMap<Socket, Promise<Peer>>,
): void {
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on("connection", (socket: Socket) => {
    socket.once("end", async () => {
      await identifications.get(socket)?.catch(() => undefined);
      setImmediate(() => socket.end());
    });
  });
}

/** Numbers the sockets: those of a Unix socket have no address to identify them by. */
function numberSockets(): (socket: Socket) => string {
  const numbers = new WeakMap<Socket, string>();
  let count = 0;
  return (socket) => {
    const number = numbers.get(socket) ?? String(++count);
    numbers.set(socket, number);
    return number;
  };
}

const noHomeSocket = { isBound: false, remove: () => {} };

/** The host names of a server on `host`, for the guard. A wildcard address has many. */
export function hostNamesOf(host: string): string[] {
  if (host !== "0.0.0.0" && host !== "::") return [host];
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return [hostname(), ...addresses.map(({ address }) => address)];
}

const isLoopback = (host: string): boolean => ["127.0.0.1", "::1", "localhost"].includes(host);

/** Collects open event streams, which `close` must end because the server would wait for them. */
function createListener(
  app: Pick<Hono, "fetch">,
  streams: Set<ServerResponse>,
  connectionInfoFor: (incoming: IncomingMessage) => ConnectionInfo,
): RequestListener {
  return getRequestListener(
    async (request, env) => {
      const { incoming, outgoing } = env;
      // Only HTTP/1 is served here, so the request is one of node:http.
      const connectionInfo = connectionInfoFor(incoming as IncomingMessage);
      const response = await app.fetch(request, { ...env, connectionInfo });
      // Closing the connection of a client that is still sending would also drop the response.
      if (response.status === 413 && "shouldKeepAlive" in outgoing) outgoing.shouldKeepAlive = true;
      const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
      if (isStream && request.method === "GET" && "writableFinished" in outgoing) {
        // Only HTTP/1 is served here, so the response is one of node:http.
        const stream = outgoing as ServerResponse;
        streams.add(stream);
        stream.once("close", () => streams.delete(stream));
      }
      return response;
    },
    {
      // Called only for malformed requests, such as one with an invalid Host header.
      errorHandler: () =>
        new Response(JSON.stringify({ detail: "The request cannot be read.", status_code: 400 }), {
          status: 400,
          headers: { "content-type": "application/json", connection: "close" },
        }),
    },
  );
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    // Never removed: an accept that fails later, with EMFILE, must not end the process.
    server.on("error", (error) => reject(toListenFailure(error, host, port)));
    // A hosts file could map `localhost` to another address.
    server.listen(port, host === "localhost" ? "127.0.0.1" : host, () => resolve());
  });
}

function toListenFailure(error: NodeJS.ErrnoException, host: string, port: number): Error {
  switch (error.code) {
    case "EADDRINUSE":
      return new Failure("conflict", "port-in-use", `Port ${port} on ${host} is in use.`, {
        hints: ["Stop the program that uses it, or choose another port with --port."],
      });
    case "EACCES":
      return new Failure(
        "forbidden",
        "port-forbidden",
        `No permission to listen on port ${port}.`,
        {
          hints: ["Choose a port above 1023 with --port."],
        },
      );
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return invalid(`'${host}' is not an address of this machine.`, [
        "Choose another with --host.",
      ]);
    default:
      return error;
  }
}

function addressOf(server: Server): string {
  const address = server.address();
  if (typeof address !== "object" || address === null) return String(address);
  const host = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}

async function closeAll(
  servers: readonly Server[],
  streams: ReadonlySet<ServerResponse>,
  closeTimeout: number,
): Promise<void> {
  const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)));
  for (const stream of streams) {
    const { socket } = stream;
    stream.end(() => socket?.destroy());
  }
  const sweep = setInterval(() => {
    for (const server of servers) server.closeIdleConnections();
  }, 20);
  const timeout = setTimeout(() => {
    for (const server of servers) server.closeAllConnections();
  }, closeTimeout);
  await Promise.all(closed);
  clearInterval(sweep);
  clearTimeout(timeout);
}
