import type { JsonSchema } from "./json-schema.ts";

/** The system routes, for the OpenAPI document. */
export const systemPaths = (): Record<string, Record<string, unknown>> => ({
  "/": {
    get: describeRoute("welcome", "Server information and endpoints; the web app for a browser", {
      200: answer("Names, version and endpoints.", "Welcome"),
    }),
  },
  "/health": {
    get: describeRoute("health", "Whether the server is ready", {
      200: answer("The server is ready.", "Health"),
      503: answer("The server is not ready.", "Health"),
    }),
  },
  "/system": {
    get: describeRoute("system", "Findings of the quick checks, running jobs and clients", {
      200: answer("The state of the server.", "System"),
    }),
  },
  "/events": {
    get: describeRoute("events", "Server-sent events: one per change, named by its topic", {
      200: {
        description: "An open-ended stream.",
        content: { "text/event-stream": { schema: { type: "string" } } },
      },
      503: answer("Too many streams are open.", "Failure"),
    }),
  },
  "/mcp": {
    post: {
      ...describeRoute("mcp", "Model Context Protocol as JSON-RPC 2.0", {
        200: answer("A JSON-RPC message, or a stream of them.", "Message"),
        202: { description: "A notification was accepted." },
      }),
      requestBody: { required: true, content: json("Message") },
    },
  },
  "/tools": {
    get: describeRoute("list-tools", "List the tools that agents may call, with their schemas", {
      200: answer("The tools.", "Tools"),
    }),
  },
  "/tools/{name}": {
    post: {
      ...describeRoute("call-tool", "Call a tool by name", {
        200: answer("The result of the tool.", "ToolSuccess"),
        default: answer("The error, with the HTTP status of its kind.", "ToolFailure"),
      }),
      parameters: [{ name: "name", in: "path", required: true, schema: { type: "string" } }],
      requestBody: { required: false, content: json("ToolCall") },
    },
  },
  "/page/{name}": {
    post: {
      ...describeRoute(
        "call-from-page",
        "Call an operation from the web app; refused for other clients",
        {
          200: answer("The result of the operation.", "PageAnswer"),
          default: answer("The error.", "Failure"),
        },
      ),
      parameters: [{ name: "name", in: "path", required: true, schema: { type: "string" } }],
      requestBody: { required: false, content: json("ToolCall") },
    },
  },
});

export const systemSchemas = (): Record<string, JsonSchema> => ({
  Failure: object({ detail: text, status_code: { type: "integer" } }),
  Welcome: object({
    name: text,
    title: text,
    version: text,
    description: text,
    endpoints: { type: "object", additionalProperties: text },
    shelves: { type: "array", items: object({ name: text, guide: text }) },
  }),
  Health: object(
    { status: { enum: ["healthy", "unhealthy"] }, model_loaded: { type: "boolean" } },
    { reason: text },
  ),
  System: object({
    version: text,
    findings: list({ name: text, state: { enum: ["ok", "warn", "fail"] }, says: text }),
    running: list({ what: text, since: text }),
    pages: { type: "integer" },
    clients: list({
      surface: text,
      connections: { type: "integer" },
      calls: { type: "integer" },
      last: text,
    }),
  }),
  Message: { type: "object", properties: { jsonrpc: { const: "2.0" } }, required: ["jsonrpc"] },
  Tools: object({
    tools: {
      type: "array",
      items: object({
        name: text,
        title: text,
        description: text,
        inputSchema: { type: "object" },
        outputSchema: { type: "object" },
      }),
    },
  }),
  ToolCall: { type: "object", properties: { arguments: { type: "object" } } },
  ToolSuccess: object({ success: { const: true }, data: { type: "object" } }),
  PageAnswer: object({ data: { type: "object" } }),
  ToolFailure: object({ success: { const: false }, error: text, error_code: text }),
});

const text = { type: "string" };

const object = (properties: JsonSchema, optional: JsonSchema = {}): JsonSchema => ({
  type: "object",
  properties: { ...properties, ...optional },
  required: Object.keys(properties),
});

const list = (properties: JsonSchema): JsonSchema => ({
  type: "array",
  items: object(properties),
});

const describeRoute = (operationId: string, summary: string, responses: JsonSchema) => ({
  operationId,
  summary,
  responses,
});

const json = (name: string) => ({
  "application/json": { schema: { $ref: `#/components/schemas/${name}` } },
});

const answer = (description: string, schema: string) => ({ description, content: json(schema) });
