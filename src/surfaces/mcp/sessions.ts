import { randomUUID } from "node:crypto";
import {
  type McpRequestContext,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import type { Clients } from "../../kernel/clients.ts";
import { groupedBy } from "../../text/grouped.ts";
import type { GuardedServer } from "./guarded-server.ts";
import { refuse } from "./refusal.ts";
import { whenRead } from "./response-end.ts";

export interface SessionOptions {
  /** A session that nobody used for so long, and that nobody listens to, is closed. */
  idleMs?: number;
  /** The most sessions at once. */
  most?: number;
  /** The most of one sender's client; its own make room for more. */
  maxPerClient?: number;
}

interface Session {
  /** Who sends: an address, or a user of this machine. */
  readonly sender: string;
  /** The sender and the name that its client gives itself. */
  readonly client: string;
  readonly server: GuardedServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Takes it off the list of those who are connected. */
  readonly leave: () => void;
  /** Answers that are still being read, an open event stream among them. */
  open: number;
  used: number;
  /** Whether anything but its handshake was sent in it. */
  isUsed: boolean;
}

/** The clients of the older era that keep a session, each with a server of its own. */
export interface Sessions {
  /** Serves `initialize`, and with it begins a session. */
  begin(request: Request, body: unknown, sender: string): Promise<Response>;
  /** The version that a session speaks; undefined where there is no such session. */
  versionOf(id: string): string | undefined;
  serve(id: string, request: Request, body?: unknown): Promise<Response>;
  close(): void;
}

export function openSessions(
  makeServer: (ctx: McpRequestContext) => GuardedServer,
  clients: Pick<Clients, "connect">,
  { idleMs = 30 * 60_000, most = 1_000, maxPerClient = 250 }: SessionOptions = {},
): Sessions {
  const sessions = new Map<string, Session>();
  const isIdle = ({ open, used }: Session) => open === 0 && performance.now() - used > idleMs;
  const sweep = setInterval(
    () => {
      for (const session of sessions.values()) if (isIdle(session)) end(session);
    },
    Math.min(idleMs, 60_000),
  ).unref();

  function end(session: Session): void {
    if (session.transport.sessionId) sessions.delete(session.transport.sessionId);
    session.leave();
    // Closing can only fail where the other side has gone already.
    session.server.close().catch(() => undefined);
  }

  /**
   * Makes room, never by ending a session that is in use. A client that has its share gives up one of
   * its own. Where all are too many, the sender with most sessions does: one that was never used, or
   * else one of its client with most. So whoever floods us hurts nobody else.
   */
  function makeRoom(client: string): boolean {
    const all = [...sessions.values()];
    const own = all.filter((session) => session.client === client);
    if (own.length >= maxPerClient) return endIdlest(own);
    if (all.length < most) return true;
    const crowd = largestBy(all, ({ sender }) => sender);
    const choices = [
      crowd.filter(({ isUsed }) => !isUsed),
      largestBy(crowd, (session) => session.client),
      crowd,
      all,
    ];
    return choices.some(endIdlest);
  }

  /** Ends the session that was left alone longest. */
  function endIdlest(some: readonly Session[]): boolean {
    const [idlest] = some.filter(({ open }) => open === 0).sort((a, b) => a.used - b.used);
    if (idlest) end(idlest);
    return idlest !== undefined;
  }

  async function handle(session: Session, request: Request, body: unknown): Promise<Response> {
    session.open++;
    const release = () => {
      session.open--;
      session.used = performance.now();
    };
    try {
      const response = await session.transport.handleRequest(
        request,
        body === undefined ? {} : { parsedBody: body },
      );
      return whenRead(response, release);
    } catch (error) {
      release();
      throw error;
    }
  }

  return {
    async begin(request, body, sender) {
      const named = clientIn(body);
      const client = JSON.stringify([sender, named.client, request.headers.get("user-agent")]);
      if (!makeRoom(client)) return refuse(503, "Too many sessions are open; try again later.");
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
      const leave = clients.connect({ surface: "mcp", ...named });
      const session: Session = {
        sender,
        client,
        server,
        transport,
        leave,
        open: 0,
        used: performance.now(),
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
      if (!session) return refuse(404, "Session not found; send initialize to begin a new one.");
      session.isUsed = true;
      return handle(session, request, body);
    },
    close() {
      clearInterval(sweep);
      for (const session of sessions.values()) end(session);
    },
  };
}

/** Of sessions in groups, those of the largest. */
function largestBy(some: readonly Session[], key: (session: Session) => string): Session[] {
  const [largest = []] = [...groupedBy(some, key).values()].sort((a, b) => b.length - a.length);
  return largest;
}

/** The name that a client gives itself in its handshake. */
function clientIn(handshake: unknown): { client?: string } {
  const client = Handshake.safeParse(handshake).data?.params.clientInfo.name;
  return client === undefined ? {} : { client };
}

const Handshake = z.object({ params: z.object({ clientInfo: z.object({ name: z.string() }) }) });
