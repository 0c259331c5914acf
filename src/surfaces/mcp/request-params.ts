import {
  LATEST_PROTOCOL_VERSION,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { isJsonObject } from "../../text/formats/json-value.ts";

/**
 * Validates the parameters of a request and names each invalid one; the SDK's own errors quote its
 * schemas. The arguments of a tool are not validated here: the tool reports those errors.
 */
export function assertValidParams(method: string, params: unknown): void {
  const schema = paramSchemas[method];
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
 * Adds defaults for required handshake parameters that the client did not send. Invalid parameters
 * are not replaced, so that validation reports them.
 */
export function withHandshakeDefaults(params: unknown): unknown {
  if (params !== undefined && !isJsonObject(params)) return params;
  return {
    protocolVersion: LATEST_PROTOCOL_VERSION,
    capabilities: {},
    clientInfo: { name: "unknown", version: "0" },
    ...params,
  };
}

const anything = z.record(z.string(), z.unknown());
const stringError = { error: "must be a string" };

const request = (shape: z.core.$ZodLooseShape) =>
  z.looseObject({
    _meta: z.looseObject({ progressToken: z.union([z.string(), z.int()]).optional() }).optional(),
    ...shape,
  });

const listing = request({ cursor: z.string(stringError).optional() });
const resource = request({ uri: z.string(stringError) });

const paramSchemas: Record<string, z.ZodType | undefined> = {
  initialize: request({
    protocolVersion: z.string(stringError),
    capabilities: anything,
    clientInfo: z.looseObject({ name: z.string(stringError), version: z.string(stringError) }),
  }),
  "tools/list": listing,
  "tools/call": request({ name: z.string(stringError), arguments: anything.optional() }),
  "resources/list": listing,
  "resources/templates/list": listing,
  "resources/read": resource,
  "resources/subscribe": resource,
  "resources/unsubscribe": resource,
  "prompts/list": listing,
  "prompts/get": request({
    name: z.string(stringError),
    arguments: z.record(z.string(), z.string(stringError)).optional(),
  }),
  "completion/complete": request({
    ref: z.discriminatedUnion("type", [
      z.looseObject({ type: z.literal("ref/prompt"), name: z.string(stringError) }),
      z.looseObject({ type: z.literal("ref/resource"), uri: z.string(stringError) }),
    ]),
    argument: z.looseObject({ name: z.string(stringError), value: z.string(stringError) }),
    context: z
      .looseObject({ arguments: z.record(z.string(), z.string(stringError)).optional() })
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
