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
import { Failure, invalid } from "../../kernel/failure.ts";
import { type Admission, openAdmission, type Peer } from "../../kernel/peers/admission.ts";
import type { Arrival } from "./caller.ts";
import { bindHomeSocket } from "./home-socket.ts";
import { keepRoom } from "./room.ts";

export interface ServeOptions {
  app: Pick<Hono, "fetch">;
  host?: string;
  ports: readonly number[];
  /** Without it only loopback is bound. The guard in `app` must have been given the same. */
  token?: string | undefined;
  /** Says who connects; our own user and root are served where nothing else is said. */
  admission?: Admission | undefined;
  /** A Unix socket to listen on as well; whoever can open it is the home's owner. */
  homeSocket?: string | undefined;
  limits?: Partial<typeof defaultLimits>;
}

export interface HttpServer {
  /** `http://127.0.0.1:18765`, one for each port. */
  readonly addresses: readonly string[];
  /** Whether the Unix socket answers here, and why not where somebody should know. */
  readonly homeSocket: { readonly isBound: boolean; readonly note?: string };
  /** Ends idle connections and streams at once; a call that runs may still answer for a moment. */
  close(): Promise<void>;
}

/** Against senders that open a connection and then take their time. All times in milliseconds. */
const defaultLimits = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16_384,
  /** For each port; room for a thousand open pages beside everything else. */
  maxConnections: 2_000,
  closeTimeout: 1_000,
};

/** Listens on every port, or on none: where one is taken, the others are let go again. */
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
  const { judge } = admission ?? (await openAdmission());
  const judging = new WeakMap<Socket, Promise<Peer>>();
  const listener = listenerFor(app, streams, ({ socket }) => ({
    entrance: "tcp",
    peer() {
      const peer = judge(socket);
      judging.set(socket, peer);
      return peer;
    },
  }));
  const servers: Server[] = [];
  try {
    for (const port of new Set(ports)) {
      const server = createServer(timing, listener);
      keepRoom(server, maxConnections);
      endAfterJudging(server, judging);
      await listen(server, host, port);
      servers.push(server);
    }
  } catch (error) {
    for (const server of servers) server.close();
    throw error;
  }
  const addresses = servers.map(addressOf);
  const own: Arrival = { entrance: "home", peer: async () => ({ kind: "own", name: "home" }) };
  const home = createServer(
    timing,
    listenerFor(app, streams, () => own),
  );
  keepRoom(home, maxConnections);
  const bound = homeSocket === undefined ? unbound : await bindHomeSocket(home, homeSocket);
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
 * A sender that ends its side is taken to have left, and its call ends. While its user is still being
 * looked up it is owed an answer, though: what is ready at once is sent before the connection ends.
 */
function endAfterJudging(server: Server, judging: WeakMap<Socket, Promise<Peer>>): void {
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on("connection", (socket: Socket) => {
    socket.once("end", async () => {
      await judging.get(socket)?.catch(() => undefined);
      setImmediate(() => socket.end());
    });
  });
}

const unbound = { isBound: false, remove: () => {} };

/** The names by which a server on `host` is reached, for the guard: a wildcard has many. */
export function namesOf(host: string): string[] {
  if (host !== "0.0.0.0" && host !== "::") return [host];
  const addresses = Object.values(networkInterfaces()).flatMap((cards) => cards ?? []);
  return [hostname(), ...addresses.map(({ address }) => address)];
}

const isLoopback = (host: string): boolean => ["127.0.0.1", "::1", "localhost"].includes(host);

/** Remembers the streams that stay open by themselves, because a server waits for them otherwise. */
function listenerFor(
  app: Pick<Hono, "fetch">,
  streams: Set<ServerResponse>,
  arrivalOf: (incoming: IncomingMessage) => Arrival,
): RequestListener {
  return getRequestListener(
    async (request, env) => {
      const { incoming, outgoing } = env;
      // Only HTTP/1 is served here, so the request is one of node:http.
      const arrival = arrivalOf(incoming as IncomingMessage);
      const response = await app.fetch(request, { ...env, arrival });
      // Whoever is still sending would be cut off together with the answer, were we to hang up.
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
      // Reached only by requests that are none, such as one whose Host is no host.
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
    // Stays for good: a later accept that fails, for want of files, must not end the process.
    server.on("error", (error) => reject(asFailure(error, host, port)));
    // `localhost` is whatever a hosts file says; this is what is meant by it.
    server.listen(port, host === "localhost" ? "127.0.0.1" : host, () => resolve());
  });
}

function asFailure(error: NodeJS.ErrnoException, host: string, port: number): Error {
  switch (error.code) {
    case "EADDRINUSE":
      return new Failure("conflict", "port-in-use", `Port ${port} on ${host} is in use.`, {
        hints: ["Stop what listens there, or choose another with --port."],
      });
    case "EACCES":
      return new Failure("forbidden", "port-forbidden", `Port ${port} may not be opened.`, {
        hints: ["Choose one above 1023 with --port."],
      });
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return invalid(`'${host}' is no address of this machine.`, ["Give another with --host."]);
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
  const cut = setTimeout(() => {
    for (const server of servers) server.closeAllConnections();
  }, closeTimeout);
  await Promise.all(closed);
  clearInterval(sweep);
  clearTimeout(cut);
}
