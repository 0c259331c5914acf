import { randomUUID } from "node:crypto";
import {
  type McpRequestContext,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import type { Clients } from "../../kernel/clients.ts";
import type { GuardedServer } from "./guarded-server.ts";
import { refuse } from "./refusal.ts";
import { whenRead } from "./response-end.ts";

export interface SessionOptions {
  /** A session that nobody used for so long, and that nobody listens to, is closed. */
  idleMs?: number;
  /** The most sessions at once. */
  most?: number;
}

interface Session {
  readonly server: GuardedServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Takes it off the list of those who are connected. */
  readonly leave: () => void;
  /** Answers that are still being read, an open event stream among them. */
  open: number;
  used: number;
}

/** The clients of the older era that keep a session, each with a server of its own. */
export interface Sessions {
  /** Serves `initialize`, and with it begins a session. */
  begin(request: Request, body: unknown): Promise<Response>;
  /** The version that a session speaks; undefined where there is no such session. */
  versionOf(id: string): string | undefined;
  serve(id: string, request: Request, body?: unknown): Promise<Response>;
  close(): void;
}

export function openSessions(
  makeServer: (ctx: McpRequestContext) => GuardedServer,
  clients: Pick<Clients, "connect">,
  { idleMs = 30 * 60_000, most = 1_000 }: SessionOptions = {},
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

  /** Makes room by ending the session that was left alone longest, never one that is in use. */
  function makeRoom(): boolean {
    if (sessions.size < most) return true;
    const [longest] = [...sessions.values()]
      .filter(({ open }) => open === 0)
      .sort((a, b) => a.used - b.used);
    if (longest) end(longest);
    return longest !== undefined;
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
    async begin(request, body) {
      if (!makeRoom()) return refuse(503, "Too many sessions are open; try again later.");
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
      const leave = clients.connect({ surface: "mcp", ...clientIn(body) });
      const session: Session = { server, transport, leave, open: 0, used: performance.now() };
      await server.connect(transport);
      const response = await handle(session, request, body);
      if (transport.sessionId === undefined) end(session);
      return response;
    },
    versionOf: (id) => sessions.get(id)?.server.getNegotiatedProtocolVersion(),
    async serve(id, request, body) {
      const session = sessions.get(id);
      if (!session) return refuse(404, "Session not found; send initialize to begin a new one.");
      return handle(session, request, body);
    },
    close() {
      clearInterval(sweep);
      for (const session of sessions.values()) end(session);
    },
  };
}

/** The name that a client gives itself in its handshake. */
function clientIn(handshake: unknown): { client?: string } {
  const client = Handshake.safeParse(handshake).data?.params.clientInfo.name;
  return client === undefined ? {} : { client };
}

const Handshake = z.object({ params: z.object({ clientInfo: z.object({ name: z.string() }) }) });
