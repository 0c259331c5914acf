import {
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  ProtocolErrorCode,
  parseJSONRPCMessage,
} from "@modelcontextprotocol/server";
import type { Library } from "../../kernel/library.ts";
import { deepestRequest, nestsDeeper } from "../../text/json-depth.ts";
import { parsedJson } from "../../text/json-value.ts";
import { relay } from "./notices.ts";
import { withHandshakeDefaults } from "./params.ts";
import { peerHeader } from "./peer-header.ts";
import { readsStreams, servePlainly } from "./plain-leg.ts";
import { idOf, refuse, withoutReservedCode } from "./refusal.ts";
import { serverFactory } from "./server.ts";
import { openSessions, type SessionOptions } from "./sessions.ts";

export interface Endpoint {
  /** `peer` tells connections apart, where requests come by some; `sender` those who make them. */
  fetch(request: Request, peer?: string, sender?: string): Promise<Response>;
  close(): Promise<void>;
}

export interface EndpointOptions {
  /** Bytes of the largest body that is read; 10 MiB unless said. */
  inboundLimit?: number;
  /** Bytes of text that a tool answers at most; 20,000 tokens unless said. */
  answerLimit?: number;
  /** Bytes of the largest result that is sent; 10 MiB unless said. */
  outboundLimit?: number;
  sessions?: SessionOptions;
}

/**
 * `/mcp`, with three legs behind it. A request of the 2026 era carries all that it needs and is the
 * SDK's to serve. One of the older era belongs to a session if it names one or begins one; else it
 * is plain, and answered alone.
 */
export function makeEndpoint(library: Library, options: EndpointOptions = {}): Endpoint {
  const { inboundLimit = 10 * 1024 * 1024, answerLimit, outboundLimit } = options;
  const makeServer = serverFactory(library, {
    ...(answerLimit !== undefined && { answerLimit }),
    ...(outboundLimit !== undefined && { outboundLimit }),
    onSend: (message) => library.log.trace("mcp:protocol", () => `-> ${JSON.stringify(message)}`),
  });
  const modern = createMcpHandler(makeServer, {
    legacy: "reject",
    maxRequestBodySize: inboundLimit,
    onerror: (error) => library.log.trace("mcp:protocol", () => error.message),
  });
  const sessions = openSessions(makeServer, library.clients, options.sessions);
  const unsubscribe = library.subscribe((notice) => relay(notice, modern.notify));

  async function receive(request: Request, sender: string): Promise<Response> {
    if (!isJsonContentType(request.headers.get("content-type"))) {
      return refuse(415, "Unsupported media type: send Content-Type: application/json.");
    }
    const bytes = await bytesOf(request, inboundLimit);
    if (!bytes) return refuse(413, `The body has more than ${inboundLimit} bytes.`);
    const code = ProtocolErrorCode.ParseError;
    const text = textOf(bytes);
    if (text === undefined) return refuse(400, "Parse error: the body is not UTF-8.", { code });
    library.log.trace("mcp:protocol", () => `<- ${text}`);
    if (nestsDeeper(text)) {
      return refuse(400, `Parse error: the body nests deeper than ${deepestRequest} levels.`, {
        code,
      });
    }
    const body = parsedJson(text);
    if (body === undefined) return refuse(400, "Parse error: the body is not JSON.", { code });
    if (hasMethod(body) && !(await isLegacyRequest(request, body))) {
      return modern.fetch(request, { parsedBody: body });
    }
    return Array.isArray(body) ? receiveBatch(request, body) : receiveOlder(request, body, sender);
  }

  function receiveOlder(
    request: Request,
    body: unknown,
    sender: string,
  ): Promise<Response> | Response {
    const handshake = isHandshake(body);
    const message = handshake ? { ...body, params: withHandshakeDefaults(body.params) } : body;
    if (!isMessage(message)) {
      return refuse(400, "Invalid request: not a JSON-RPC 2.0 message.", { id: idOf(body) });
    }
    const session = request.headers.get("mcp-session-id");
    if (session !== null) return sessions.serve(session, request, message);
    if (handshake && readsStreams(request)) return sessions.begin(request, message, sender);
    return servePlainly(makeServer, request, message);
  }

  function receiveBatch(request: Request, batch: unknown[]): Promise<Response> | Response {
    const session = request.headers.get("mcp-session-id");
    const told = request.headers.get("mcp-protocol-version");
    const version = (session === null ? undefined : sessions.versionOf(session)) ?? told;
    if (version !== onlyBatchingVersion) {
      return refuse(400, `Invalid request: only version ${onlyBatchingVersion} has batches.`);
    }
    if (batch.length === 0 || !batch.every(isMessage)) {
      return refuse(400, "Invalid request: a batch holds JSON-RPC 2.0 messages, one at least.");
    }
    if (session !== null) return sessions.serve(session, request, batch);
    return servePlainly(makeServer, request, batch);
  }

  async function route(request: Request, sender: string): Promise<Response> {
    if (request.method === "POST") return receive(request, sender);
    if (request.method !== "GET" && request.method !== "DELETE") {
      return refuse(405, "Method not allowed.", { allow: "GET, POST, DELETE" });
    }
    const session = request.headers.get("mcp-session-id");
    if (session !== null) return sessions.serve(session, request);
    return refuse(405, "Without a session there is only POST.", { allow: "POST" });
  }

  return {
    async fetch(request, peer = "", sender = peer) {
      request.headers.set(peerHeader, peer);
      return withoutReservedCode(await route(request, sender));
    },
    async close() {
      unsubscribe();
      sessions.close();
      await modern.close();
    },
  };
}

/** Arrays of messages came with this version and went with the next. */
const onlyBatchingVersion = "2025-03-26";

/** Nothing where there are more than the limit; what lies beyond it is never kept. */
async function bytesOf(request: Request, limit: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    if (length > limit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Replacing bytes that are no UTF-8 would run a call that nobody sent. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function isMessage(body: unknown): boolean {
  try {
    parseJSONRPCMessage(body);
    return true;
  } catch {
    return false;
  }
}

const hasMethod = (body: unknown): body is { method: unknown; params?: unknown } =>
  typeof body === "object" && body !== null && "method" in body;

const isHandshake = (body: unknown): body is { method: "initialize"; params?: unknown } =>
  hasMethod(body) && body.method === "initialize";
