import { randomUUID } from "node:crypto";
import {
  type McpRequestContext,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import type { ClientRegistry } from "../../../kernel/calls/clients.ts";
import { groupBy } from "../../../text/arrays/group-by.ts";
import type { GuardedServer } from "../guarded-server.ts";
import { jsonRpcErrorResponse } from "./error-response.ts";
import { peerHeader, senderHeader } from "./peer-header.ts";
import { onBodyEnd } from "./response-end.ts";

export interface SessionOptions {
  /** A session without requests and open streams for this time is closed. */
  idleMs?: number;
  /** Maximum number of sessions. */
  maxSessions?: number;
  /** Maximum number of sessions per client of a sender. */
  maxPerClient?: number;
}

interface Session {
  /** The sender that started it: an address, or a user of this machine. */
  readonly sender: string;
  /** The connection that started it. */
  readonly peer: string;
  /** The sender, and the name and user agent of the client. */
  readonly client: string;
  readonly server: GuardedServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Removes it from the list of connected clients. */
  readonly leave: () => void;
  /** The number of responses in progress, including open event streams. */
  openResponses: number;
  lastUsed: number;
  /** Whether anything was sent after the handshake. */
  isUsed: boolean;
}

/** The sessions of clients before protocol 2026, each with its own server. */
export interface Sessions {
  /** Serves `initialize`, which starts a session. */
  begin(request: Request, body: unknown): Promise<Response>;
  /** The protocol version of a session; undefined if it does not exist. */
  versionOf(id: string): string | undefined;
  serve(id: string, request: Request, body?: unknown): Promise<Response>;
  close(): void;
}

export function openSessions(
  makeServer: (ctx: McpRequestContext) => GuardedServer,
  clients: Pick<ClientRegistry, "connect">,
  { idleMs = 30 * 60_000, maxSessions = 1_000, maxPerClient = 250 }: SessionOptions = {},
): Sessions {
  const sessions = new Map<string, Session>();
  const isIdle = ({ openResponses, lastUsed }: Session) =>
    openResponses === 0 && performance.now() - lastUsed > idleMs;
  const sweep = setInterval(
    () => {
      for (const session of sessions.values()) if (isIdle(session)) end(session);
    },
    Math.min(idleMs, 60_000),
  ).unref();

  function end(session: Session): void {
    if (session.transport.sessionId) sessions.delete(session.transport.sessionId);
    session.leave();
    // Closing fails only if the client has already disconnected.
    session.server.close().catch(() => undefined);
  }

  /**
   * Makes room for a new session; false if that is impossible. A session with a response in progress
   * is never evicted. A client at its limit loses one of its own sessions; at the global limit, the
   * sender with the most sessions loses one. Unused sessions are evicted first, then those of the
   * connection or client with the most sessions. So a flood of handshakes does not evict the sessions
   * of other clients.
   */
  function evictForClient(client: string): boolean {
    const all = [...sessions.values()];
    const own = all.filter((session) => session.client === client);
    if (own.length >= maxPerClient)
      return [unused(own), largest(own, byPeer), own].some(endLeastRecentlyUsed);
    if (all.length < maxSessions) return true;
    const ofBusiestSender = largest(all, bySender);
    return [
      unused(ofBusiestSender),
      largest(ofBusiestSender, byPeer, byClient),
      ofBusiestSender,
      all,
    ].some(endLeastRecentlyUsed);
  }

  /** Ends the least recently used session without a response in progress. */
  function endLeastRecentlyUsed(candidates: readonly Session[]): boolean {
    const [oldest] = candidates
      .filter(({ openResponses }) => openResponses === 0)
      .sort((a, b) => a.lastUsed - b.lastUsed);
    if (oldest) end(oldest);
    return oldest !== undefined;
  }

  async function handle(session: Session, request: Request, body: unknown): Promise<Response> {
    session.openResponses++;
    const release = () => {
      session.openResponses--;
      session.lastUsed = performance.now();
    };
    try {
      const response = await session.transport.handleRequest(
        request,
        body === undefined ? {} : { parsedBody: body },
      );
      return onBodyEnd(response, release);
    } catch (error) {
      release();
      throw error;
    }
  }

  return {
    async begin(request, body) {
      const clientName = clientNameIn(body);
      const sender = request.headers.get(senderHeader) ?? "";
      const peer = request.headers.get(peerHeader) ?? "";
      const client = JSON.stringify([sender, clientName.client, request.headers.get("user-agent")]);
      if (!evictForClient(client))
        return jsonRpcErrorResponse(503, "Too many sessions are open; try again later.");
      const server = makeServer({ era: "legacy" });
      const transport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => {
          sessions.set(id, session);
        },
        onsessionclosed: (id) => {
          sessions.delete(id);
          session.leave();
        },
      });
      const leave = clients.connect({ surface: "mcp", ...clientName });
      const session: Session = {
        sender,
        peer,
        client,
        server,
        transport,
        leave,
        openResponses: 0,
        lastUsed: performance.now(),
        isUsed: false,
      };
      await server.connect(transport);
      const response = await handle(session, request, body);
      if (transport.sessionId === undefined) end(session);
      return response;
    },
    versionOf: (id) => sessions.get(id)?.server.getNegotiatedProtocolVersion(),
    async serve(id, request, body) {
      const session = sessions.get(id);
      if (!session)
        return jsonRpcErrorResponse(404, "Session not found; send initialize to start a new one.");
      if (!isInitialized(body)) session.isUsed = true;
      return handle(session, request, body);
    },
    close() {
      clearInterval(sweep);
      for (const session of sessions.values()) end(session);
    },
  };
}

const bySender = ({ sender }: Session): string => sender;
const byPeer = ({ peer }: Session): string => peer;
const byClient = ({ client }: Session): string => client;

const unused = (candidates: readonly Session[]): Session[] =>
  candidates.filter(({ isUsed }) => !isUsed);

/** The largest group of sessions that have something in common. */
function largest(
  candidates: readonly Session[],
  ...keys: ((session: Session) => string)[]
): readonly Session[] {
  const groups = keys.flatMap((key) => [...groupBy(candidates, key).values()]);
  return groups.sort((a, b) => b.length - a.length)[0] ?? [];
}

/** The client's name in its handshake. */
function clientNameIn(handshake: unknown): { client?: string } {
  const client = Handshake.safeParse(handshake).data?.params.clientInfo.name;
  return client === undefined ? {} : { client };
}

/** Clients send this at the end of the handshake, even if they never use the session. */
const isInitialized = (body: unknown): boolean => HandshakeEnd.safeParse(body).success;

const HandshakeEnd = z.object({ method: z.literal("notifications/initialized") });

const Handshake = z.object({ params: z.object({ clientInfo: z.object({ name: z.string() }) }) });
