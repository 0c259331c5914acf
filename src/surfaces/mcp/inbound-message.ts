import {
  isInitializeRequest,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  type RequestId,
} from "@modelcontextprotocol/server";
import { isObject } from "../../text/json-value.ts";

/** What is to be done with a JSON value that came in. */
export type Inbound =
  | { kind: "deliver"; message: JSONRPCMessage; acknowledge?: RequestId }
  | { kind: "shutdown"; id: RequestId }
  | { kind: "refuse"; id: RequestId | null; code: number; message: string }
  /** Nobody waits for an answer, so none is given. */
  | { kind: "drop"; why: string };

/**
 * Takes a value for the message that its sender meant. The SDK silently drops what does not fit its
 * schemas; here everything is either made to fit or refused by the name of what is wrong.
 */
export function inboundMessage(value: unknown): Inbound {
  if (Array.isArray(value)) return invalid(null, "batches are not served; send one message a line");
  if (!isObject(value)) return invalid(null, "a message is a JSON object");
  const id = isRequestId(value.id) ? value.id : null;
  if (value.jsonrpc !== "2.0") return invalid(id, `'jsonrpc' must be "2.0"`);
  if (!("method" in value) && ("result" in value || "error" in value)) return response(value);
  if (typeof value.method !== "string") return invalid(id, "'method' must be a string");
  if (!("id" in value)) return notification(value.method, value.params);
  if (id === null) return invalid(null, "'id' must be a string or a whole number");
  return request(id, value.method, value.params);
}

function request(id: RequestId, method: string, given: unknown): Inbound {
  if (method === "initialized" || method === "notifications/initialized") {
    const message = { jsonrpc: "2.0", method: "notifications/initialized" } as const;
    return { kind: "deliver", message, acknowledge: id };
  }
  // The stateless protocol has no shutdown, so a request in its form is left to the SDK to refuse.
  if (method === "shutdown" && !isModern(given)) return { kind: "shutdown", id };
  const params =
    method === "initialize" && !isModern(given) ? handshakeParams(given) : (given ?? undefined);
  if (params !== undefined && !isObject(params)) return invalidParams(id, "must be an object");
  const message = { jsonrpc: "2.0", id, method, ...(params && { params }) };
  if (isJSONRPCRequest(message)) return { kind: "deliver", message };
  return invalidParams(
    id,
    "must have an object as '_meta', and there a text or whole 'progressToken'",
  );
}

function notification(method: string, given: unknown): Inbound {
  const message = {
    jsonrpc: "2.0",
    method: method === "initialized" ? "notifications/initialized" : method,
    ...(given !== null && given !== undefined && { params: given }),
  };
  if (isJSONRPCNotification(message)) return { kind: "deliver", message };
  return { kind: "drop", why: `The params of the notification '${method}' are not an object.` };
}

/** A response that does not fit is never answered, or two strict peers would go on for ever. */
function response({ jsonrpc, id, result, error }: Record<string, unknown>): Inbound {
  const message = {
    jsonrpc,
    ...(isRequestId(id) && { id }),
    ...(error === undefined ? { result } : { error }),
  };
  if (isJSONRPCResponse(message)) return { kind: "deliver", message };
  return { kind: "drop", why: "A response is malformed, or answers to no readable id." };
}

/** A client that says less than the handshake asks for is taken for one that said the usual. */
function handshakeParams(given: unknown): Record<string, unknown> {
  const said = isObject(given) ? given : {};
  const usual = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "unknown", version: "0" },
  };
  const { protocolVersion, capabilities, clientInfo, _meta, ...others } = said;
  const fields = { protocolVersion, capabilities, clientInfo, _meta };
  const readable = Object.entries(fields).filter(
    ([name, value]) => value !== undefined && fitsHandshake({ ...usual, [name]: value }),
  );
  return { ...others, ...usual, ...Object.fromEntries(readable) };
}

function fitsHandshake(params: Record<string, unknown>): boolean {
  try {
    return isInitializeRequest({ jsonrpc: "2.0", id: 0, method: "initialize", params });
  } catch {
    // Capabilities can be nested deeper than the schema can follow.
    return false;
  }
}

/** Each request of the stateless protocol says its version in `_meta`. */
function isModern(params: unknown): boolean {
  return isObject(params) && isObject(params._meta) && PROTOCOL_VERSION_META_KEY in params._meta;
}

/** A number that is not exact could not be given back as it came. */
const isRequestId = (id: unknown): id is RequestId =>
  typeof id === "string" || Number.isSafeInteger(id);

const invalid = (id: RequestId | null, what: string): Inbound => ({
  kind: "refuse",
  id,
  code: -32600,
  message: `Invalid Request: ${what}`,
});

const invalidParams = (id: RequestId, what: string): Inbound => ({
  kind: "refuse",
  id,
  code: -32602,
  message: `Invalid params: 'params' ${what}`,
});
