import {
  LATEST_PROTOCOL_VERSION,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { isObject } from "../../text/json-value.ts";

/**
 * Refuses a request whose parameters are not those of its method, and names each of them. The SDK
 * refuses too, but in the words of its schemas. Arguments of a tool are not looked into: a mistake
 * there is the tool's to answer.
 */
export function refuseMalformed(method: string, params: unknown): void {
  const schema = known[method];
  if (!schema) return;
  const parsed = schema.safeParse(params ?? {});
  if (parsed.success) return;
  const details = parsed.error.issues
    .map((issue) => `'${issue.path.join(".") || "params"}': ${issue.message}`)
    .join("; ");
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Invalid params for ${method}: ${details}`,
    { details },
  );
}

/**
 * A client that says less than the handshake asks for is answered as one that said the usual.
 * What is there but wrong stays, to be refused by its name.
 */
export function withHandshakeDefaults(params: unknown): unknown {
  if (params !== undefined && !isObject(params)) return params;
  return {
    protocolVersion: LATEST_PROTOCOL_VERSION,
    capabilities: {},
    clientInfo: { name: "unknown", version: "0" },
    ...params,
  };
}

const anything = z.record(z.string(), z.unknown());
const named = { error: "must be a string" };

const request = (shape: z.core.$ZodLooseShape) =>
  z.looseObject({
    _meta: z.looseObject({ progressToken: z.union([z.string(), z.int()]).optional() }).optional(),
    ...shape,
  });

const listing = request({ cursor: z.string(named).optional() });
const resource = request({ uri: z.string(named) });

const known: Record<string, z.ZodType | undefined> = {
  initialize: request({
    protocolVersion: z.string(named),
    capabilities: anything,
    clientInfo: z.looseObject({ name: z.string(named), version: z.string(named) }),
  }),
  "tools/list": listing,
  "tools/call": request({ name: z.string(named), arguments: anything.optional() }),
  "resources/list": listing,
  "resources/templates/list": listing,
  "resources/read": resource,
  "resources/subscribe": resource,
  "resources/unsubscribe": resource,
  "prompts/list": listing,
  "prompts/get": request({
    name: z.string(named),
    arguments: z.record(z.string(), z.string(named)).optional(),
  }),
  "completion/complete": request({
    ref: z.discriminatedUnion("type", [
      z.looseObject({ type: z.literal("ref/prompt"), name: z.string(named) }),
      z.looseObject({ type: z.literal("ref/resource"), uri: z.string(named) }),
    ]),
    argument: z.looseObject({ name: z.string(named), value: z.string(named) }),
    context: z
      .looseObject({ arguments: z.record(z.string(), z.string(named)).optional() })
      .optional(),
  }),
  "logging/setLevel": request({
    level: z.enum([
      "debug",
      "info",
      "notice",
      "warning",
      "error",
      "critical",
      "alert",
      "emergency",
    ]),
  }),
};
