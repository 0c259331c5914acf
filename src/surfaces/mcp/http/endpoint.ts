import {
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  ProtocolErrorCode,
  parseJSONRPCMessage,
} from "@modelcontextprotocol/server";
import type { App } from "../../../kernel/runtime/app.ts";
import { requestProblem } from "../../../text/formats/json-limits.ts";
import { tryParseJson } from "../../../text/formats/json-value.ts";
import { relayNotice } from "../notice-relay.ts";
import { withHandshakeDefaults } from "../request-params.ts";
import { createServerFactory } from "../server.ts";
import { jsonRpcErrorResponse, requestIdOf, withoutReservedCode } from "./error-response.ts";
import { peerHeader, senderHeader } from "./peer-header.ts";
import { acceptsEventStream, serveSessionless } from "./sessionless-request.ts";
import { openSessions, type SessionOptions } from "./sessions.ts";

export interface Endpoint {
  /** `peer` identifies the connection and `sender` the client of a request. */
  fetch(request: Request, peer?: string, sender?: string): Promise<Response>;
  close(): Promise<void>;
}

export interface EndpointOptions {
  /** Maximum size of a request body in bytes. Default: 10 MiB. */
  inboundLimit?: number;
  /** Maximum text of a tool result in bytes. Default: 20,000 tokens. */
  answerLimit?: number;
  /** Maximum size of a result in bytes. Default: 10 MiB. */
  outboundLimit?: number;
  sessions?: SessionOptions;
}

/**
 * The `/mcp` endpoint. Requests of protocol 2026 are self-contained and served by the SDK. Older
 * requests are served in a session if they name or start one, otherwise without a session.
 */
export function createEndpoint(app: App, options: EndpointOptions = {}): Endpoint {
  const { inboundLimit = 10 * 1024 * 1024, answerLimit, outboundLimit } = options;
  const makeServer = createServerFactory(app, {
    ...(answerLimit !== undefined && { answerLimit }),
    ...(outboundLimit !== undefined && { outboundLimit }),
    onSend: (message) => app.log.trace("mcp:protocol", () => `-> ${JSON.stringify(message)}`),
  });
  const modern = createMcpHandler(makeServer, {
    legacy: "reject",
    maxRequestBodySize: inboundLimit,
    onerror: (error) => app.log.trace("mcp:protocol", () => error.message),
  });
  const sessions = openSessions(makeServer, app.clientRegistry, options.sessions);
  const unsubscribe = app.subscribe((notice) => relayNotice(notice, modern.notify));

  async function receive(request: Request): Promise<Response> {
    if (!isJsonContentType(request.headers.get("content-type"))) {
      return jsonRpcErrorResponse(
        415,
        "Unsupported media type: send Content-Type: application/json.",
      );
    }
    const bytes = await readLimitedBody(request, inboundLimit);
    if (!bytes) return jsonRpcErrorResponse(413, `The body is larger than ${inboundLimit} bytes.`);
    const code = ProtocolErrorCode.ParseError;
    const text = decodeUtf8(bytes);
    if (text === undefined)
      return jsonRpcErrorResponse(400, "Parse error: the body is not UTF-8.", { code });
    app.log.trace("mcp:protocol", () => `<- ${text}`);
    const problem = requestProblem(text);
    if (problem !== undefined)
      return jsonRpcErrorResponse(400, `Parse error: the body ${problem}.`, { code });
    const body = tryParseJson(text);
    if (body === undefined)
      return jsonRpcErrorResponse(400, "Parse error: the body is not JSON.", { code });
    if (hasMethod(body) && !(await isLegacyRequest(request, body))) {
      return modern.fetch(request, { parsedBody: body });
    }
    return Array.isArray(body) ? receiveBatch(request, body) : receiveOlder(request, body);
  }

  function receiveOlder(request: Request, body: unknown): Promise<Response> | Response {
    const handshake = isHandshake(body);
    const message = handshake ? { ...body, params: withHandshakeDefaults(body.params) } : body;
    if (!isJsonRpcMessage(message)) {
      return jsonRpcErrorResponse(400, "Invalid request: not a JSON-RPC 2.0 message.", {
        id: requestIdOf(body),
      });
    }
    const session = request.headers.get("mcp-session-id");
    if (session !== null) return sessions.serve(session, request, message);
    if (handshake && acceptsEventStream(request)) return sessions.begin(request, message);
    return serveSessionless(makeServer, request, message);
  }

  function receiveBatch(request: Request, batch: unknown[]): Promise<Response> | Response {
    const session = request.headers.get("mcp-session-id");
    const headerVersion = request.headers.get("mcp-protocol-version");
    const version = (session === null ? undefined : sessions.versionOf(session)) ?? headerVersion;
    if (version !== batchingVersion) {
      return jsonRpcErrorResponse(
        400,
        `Invalid request: batches exist only in protocol version ${batchingVersion}.`,
      );
    }
    if (batch.length === 0 || !batch.every(isJsonRpcMessage)) {
      return jsonRpcErrorResponse(
        400,
        "Invalid request: a batch must contain one or more JSON-RPC 2.0 messages.",
      );
    }
    if (session !== null) return sessions.serve(session, request, batch);
    return serveSessionless(makeServer, request, batch);
  }

  async function route(request: Request): Promise<Response> {
    if (request.method === "POST") return receive(request);
    if (request.method !== "GET" && request.method !== "DELETE") {
      return jsonRpcErrorResponse(405, "Method not allowed.", { allow: "GET, POST, DELETE" });
    }
    const session = request.headers.get("mcp-session-id");
    if (session !== null) return sessions.serve(session, request);
    return jsonRpcErrorResponse(405, "Only POST is allowed without a session.", { allow: "POST" });
  }

  return {
    async fetch(request, peer = "", sender = peer) {
      request.headers.set(peerHeader, peer);
      request.headers.set(senderHeader, sender);
      return withoutReservedCode(await route(request));
    },
    async close() {
      unsubscribe();
      sessions.close();
      await modern.close();
    },
  };
}

/** The only protocol version with batches of messages. */
const batchingVersion = "2025-03-26";

/** Reads a body; undefined if it is larger than the limit. Stops reading at the limit. */
async function readLimitedBody(request: Request, limit: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    if (length > limit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Strict: replacing invalid bytes would change the call. */
function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function isJsonRpcMessage(body: unknown): boolean {
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
