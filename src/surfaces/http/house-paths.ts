import type { JsonSchema } from "./json-schema.ts";

/** The routes of no shelf, for the OpenAPI document. */
export const housePaths = (): Record<string, Record<string, unknown>> => ({
  "/": {
    get: described("welcome", "Who serves here, and where things are; HTML for a browser", {
      200: answer("Names, version and endpoints.", "Welcome"),
    }),
  },
  "/health": {
    get: described("health", "Whether the server is ready", {
      200: answer("It is.", "Health"),
      503: answer("It is not.", "Health"),
    }),
  },
  "/house": {
    get: described("house", "Its health, the work that runs and the clients it has", {
      200: answer("How things stand.", "House"),
    }),
  },
  "/events": {
    get: described("events", "Server-sent events: one for each change, named by its topic", {
      200: {
        description: "A stream that stays open.",
        content: { "text/event-stream": { schema: { type: "string" } } },
      },
      503: answer("Too many pages listen.", "Failure"),
    }),
  },
  "/mcp": {
    post: {
      ...described("mcp", "The Model Context Protocol, as JSON-RPC 2.0", {
        200: answer("A JSON-RPC message, or a stream of them.", "Message"),
        202: { description: "A notification was taken." },
      }),
      requestBody: { required: true, content: json("Message") },
    },
  },
  "/tools": {
    get: described("list-tools", "The tools that an agent may call, with their schemas", {
      200: answer("The tools.", "Tools"),
    }),
  },
  "/tools/{name}": {
    post: {
      ...described("call-tool", "Call one tool by its name", {
        200: answer("What the tool gave.", "ToolSuccess"),
        default: answer("Why it failed; the status tells the kind.", "ToolFailure"),
      }),
      parameters: [{ name: "name", in: "path", required: true, schema: { type: "string" } }],
      requestBody: { required: false, content: json("ToolCall") },
    },
  },
  "/page/{name}": {
    post: {
      ...described("call-from-page", "How the web app's own page calls; nobody else may", {
        200: answer("What the operation gave.", "PageAnswer"),
        default: answer("Why it failed.", "Failure"),
      }),
      parameters: [{ name: "name", in: "path", required: true, schema: { type: "string" } }],
      requestBody: { required: false, content: json("ToolCall") },
    },
  },
});

export const houseSchemas = (): Record<string, JsonSchema> => ({
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
  House: object({
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

const described = (operationId: string, summary: string, responses: JsonSchema) => ({
  operationId,
  summary,
  responses,
});

const json = (name: string) => ({
  "application/json": { schema: { $ref: `#/components/schemas/${name}` } },
});

const answer = (description: string, schema: string) => ({ description, content: json(schema) });
