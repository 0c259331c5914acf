import {
  isInitializeRequest,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  type RequestId,
} from "@modelcontextprotocol/server";
import { isJsonObject } from "../../../text/formats/json-value.ts";

/** How to handle an incoming JSON value. */
export type InboundMessage =
  | { kind: "deliver"; message: JSONRPCMessage; acknowledge?: RequestId }
  | { kind: "shutdown"; id: RequestId }
  | { kind: "refuse"; id: RequestId | null; code: number; message: string }
  /** Not answered, because the client expects no response. */
  | { kind: "drop"; why: string };

/**
 * Interprets an incoming JSON value. The SDK silently drops messages that do not match its schemas;
 * here they are either corrected or rejected with an error that names the problem.
 */
export function parseInboundMessage(value: unknown): InboundMessage {
  if (Array.isArray(value))
    return invalid(null, "batches are not supported; send one message per line");
  if (!isJsonObject(value)) return invalid(null, "a message must be a JSON object");
  const id = isRequestId(value.id) ? value.id : null;
  if (value.jsonrpc !== "2.0") return invalid(id, `'jsonrpc' must be "2.0"`);
  if (!("method" in value) && ("result" in value || "error" in value)) return response(value);
  if (typeof value.method !== "string") return invalid(id, "'method' must be a string");
  if (!("id" in value)) return notification(value.method, value.params);
  if (id === null) return invalid(null, "'id' must be a string or an integer");
  return request(id, value.method, value.params);
}

function request(id: RequestId, method: string, rawParams: unknown): InboundMessage {
  if (method === "initialized" || method === "notifications/initialized") {
    const message = { jsonrpc: "2.0", method: "notifications/initialized" } as const;
    return { kind: "deliver", message, acknowledge: id };
  }
  // The stateless protocol has no shutdown, so the SDK rejects such a request.
  if (method === "shutdown" && !isModern(rawParams)) return { kind: "shutdown", id };
  const params =
    method === "initialize" && !isModern(rawParams)
      ? handshakeParams(rawParams)
      : (rawParams ?? undefined);
  if (params !== undefined && !isJsonObject(params)) return invalidParams(id, "must be an object");
  const message = { jsonrpc: "2.0", id, method, ...(params && { params }) };
  if (isJSONRPCRequest(message)) return { kind: "deliver", message };
  return invalidParams(
    id,
    "must have an object '_meta', whose 'progressToken' is a string or an integer",
  );
}

function notification(method: string, rawParams: unknown): InboundMessage {
  const message = {
    jsonrpc: "2.0",
    method: method === "initialized" ? "notifications/initialized" : method,
    ...(rawParams !== null && rawParams !== undefined && { params: rawParams }),
  };
  if (isJSONRPCNotification(message)) return { kind: "deliver", message };
  return { kind: "drop", why: `The params of the notification '${method}' are not an object.` };
}

/** A malformed response is never answered: two strict peers would loop forever. */
function response({ jsonrpc, id, result, error }: Record<string, unknown>): InboundMessage {
  const message = {
    jsonrpc,
    ...(isRequestId(id) && { id }),
    ...(error === undefined ? { result } : { error }),
  };
  if (isJSONRPCResponse(message)) return { kind: "deliver", message };
  return { kind: "drop", why: "A response is malformed or has an unreadable id." };
}

/** Replaces missing and invalid handshake parameters with defaults. */
function handshakeParams(rawParams: unknown): Record<string, unknown> {
  const params = isJsonObject(rawParams) ? rawParams : {};
  const defaults = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "unknown", version: "0" },
  };
  const { protocolVersion, capabilities, clientInfo, _meta, ...others } = params;
  const fields = { protocolVersion, capabilities, clientInfo, _meta };
  const valid = Object.entries(fields).filter(
    ([name, value]) => value !== undefined && fitsHandshake({ ...defaults, [name]: value }),
  );
  return { ...others, ...defaults, ...Object.fromEntries(valid) };
}

function fitsHandshake(params: Record<string, unknown>): boolean {
  try {
    return isInitializeRequest({ jsonrpc: "2.0", id: 0, method: "initialize", params });
  } catch {
    // Deeply nested capabilities can overflow the stack of the schema.
    return false;
  }
}

/** Each request of the stateless protocol has its version in `_meta`. */
function isModern(params: unknown): boolean {
  return (
    isJsonObject(params) && isJsonObject(params._meta) && PROTOCOL_VERSION_META_KEY in params._meta
  );
}

/** An unsafe integer could not be returned exactly. */
const isRequestId = (id: unknown): id is RequestId =>
  typeof id === "string" || Number.isSafeInteger(id);

const invalid = (id: RequestId | null, what: string): InboundMessage => ({
  kind: "refuse",
  id,
  code: -32600,
  message: `Invalid Request: ${what}`,
});

const invalidParams = (id: RequestId, what: string): InboundMessage => ({
  kind: "refuse",
  id,
  code: -32602,
  message: `Invalid params: 'params' ${what}`,
});
