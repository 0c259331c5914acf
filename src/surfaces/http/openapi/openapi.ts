import type { CatalogueEntry } from "../../../kernel/operations/catalogue.ts";
import type { App } from "../../../kernel/runtime/app.ts";
import { elementAt } from "../../../text/arrays/element-at.ts";
import { takesBody } from "../requests/request-input.ts";
import { hasTextContent, keySpellingOf, routeOf } from "../routes/operation-routes.ts";
import type { PathTemplate } from "../routes/path-template.ts";
import type { Method } from "../routes/route.ts";
import { type JsonSchema, jsonSchemaOf } from "./json-schema.ts";
import { systemPaths, systemSchemas } from "./system-paths.ts";

type RouteAddress = { method: Method; path: PathTemplate };

/** The catalogue as an OpenAPI 3.1 document, in the order of the catalogue. */
export function openApiDocument({
  identity,
  catalogue,
}: Pick<App, "identity" | "catalogue">): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = systemPaths();
  const schemas: Record<string, JsonSchema> = systemSchemas();
  for (const entry of catalogue.entries) {
    const route = routeOf(entry);
    if (!route) continue;
    const { name } = entry.operation;
    const fields = splitInput(entry, route);
    if (takesBody(route.method)) schemas[`${name}.input`] = fields.body;
    schemas[`${name}.output`] = outputOf(entry);
    paths[route.path.openApi] = {
      ...paths[route.path.openApi],
      [route.method.toLowerCase()]: describeOperation(entry, route, fields),
    };
  }
  return {
    openapi: "3.1.1",
    info: { title: identity.title, version: identity.version },
    servers: [{ url: "/" }],
    security: [{}, { token: [] }],
    tags: catalogue.shelves.map(({ name, guide }) => ({ name, description: guide })),
    paths,
    components: { schemas, responses: failureResponses(), securitySchemes },
  };
}

const securitySchemes = {
  token: { type: "http", scheme: "bearer", description: "Required if the server has a token." },
  page: {
    type: "apiKey",
    in: "cookie",
    name: "lectern-page",
    description:
      "Session of the web app's page, valid only together with the page's key. The name ends with the port.",
  },
};

const failures: Readonly<Record<string, string>> = {
  400: "A parameter is missing, unknown or invalid.",
  401: "A credential is missing or invalid.",
  403: "The host, origin or client is not allowed to do this.",
  404: "Not found.",
  409: "Conflict with the current state.",
  413: "The request is too large.",
  415: "The body is not JSON.",
  500: "Internal error.",
  503: "A required resource is unavailable, or the call timed out.",
};

const failureResponses = () =>
  Object.fromEntries(
    Object.entries(failures).map(([status, description]) => [
      status,
      { description, content: json({ $ref: "#/components/schemas/Failure" }) },
    ]),
  );

interface Fields {
  parameters: Record<string, unknown>[];
  /** The input without the path parameters. */
  body: JsonSchema;
  example: Record<string, unknown>;
}

/** Splits the input into path parameters, query parameters and body. */
function splitInput(entry: CatalogueEntry, { method, path }: RouteAddress): Fields {
  const { operation } = entry;
  const spelling = keySpellingOf(entry);
  const schema = withRebasedRefs(
    jsonSchemaOf(operation.input.strict(), "input", spelling),
    `#/components/schemas/${operation.name}.input`,
  );
  const example: Record<string, unknown> = {
    ...Object(spelling.write(operation.input, operation.example)),
  };
  const properties = Object.entries(record(schema.properties));
  const required = list(schema.required);
  const inPath = path.parameters.map((name) => spelling.key(name));
  const parameters = properties.flatMap(([name, property]) => {
    const position = inPath.indexOf(name);
    if (position < 0 && takesBody(method)) return [];
    const { description, ...rest } = record(property);
    return {
      name: position < 0 ? name : elementAt(path.parameters, position),
      in: position < 0 ? "query" : "path",
      required: position >= 0 || required.includes(name),
      ...(description !== undefined && { description }),
      schema: rest,
      ...(Object.hasOwn(example, name) && { example: example[name] }),
    };
  });
  const isNotInPath = ([name]: [string, unknown]) => !inPath.includes(name);
  return {
    parameters,
    body: {
      ...schema,
      properties: Object.fromEntries(properties.filter(isNotInPath)),
      required: required.filter((name) => !inPath.includes(name)),
    },
    example: Object.fromEntries(Object.entries(example).filter(isNotInPath)),
  };
}

function outputOf(entry: CatalogueEntry): JsonSchema {
  const { operation } = entry;
  const schema = withRebasedRefs(
    jsonSchemaOf(operation.output, "output", keySpellingOf(entry)),
    `#/components/schemas/${operation.name}.output`,
  );
  if (!hasTextContent(entry)) return schema;
  const content = {
    type: ["string", "null"],
    description: "The result as readable text, if it has one.",
  };
  return {
    ...schema,
    properties: { ...record(schema.properties), content },
    required: [...list(schema.required), "content"],
  };
}

function describeOperation(
  { operation, shelf }: CatalogueEntry,
  { method }: RouteAddress,
  fields: Fields,
) {
  const statuses = Object.keys(failures).filter((status) => status !== "415" || takesBody(method));
  return {
    operationId: operation.name,
    summary: operation.title,
    description: operation.summary,
    tags: [shelf.name],
    ...(operation.effect === "decides" && { security: [{ page: [] }] }),
    ...(fields.parameters.length > 0 && { parameters: fields.parameters }),
    ...(takesBody(method) && {
      requestBody: {
        required: list(fields.body.required).length > 0,
        content: json(
          { $ref: `#/components/schemas/${operation.name}.input` },
          { example: fields.example },
        ),
      },
    }),
    responses: {
      200: {
        description: operation.title,
        content: json({ $ref: `#/components/schemas/${operation.name}.output` }),
      },
      ...Object.fromEntries(
        statuses.map((status) => [status, { $ref: `#/components/responses/${status}` }]),
      ),
    },
  };
}

/** Adjusts the references of a recursive schema to its own root, for its place in the document. */
function withRebasedRefs(schema: JsonSchema, home: string): JsonSchema {
  const move = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(move);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        key === "$ref" && typeof inner === "string" ? inner.replace("#", home) : move(inner),
      ]),
    );
  };
  return record(move(schema));
}

const json = (schema: JsonSchema, others: object = {}) => ({
  "application/json": { schema, ...others },
});

const record = (value: unknown): Record<string, unknown> => ({ ...Object(value) });

const list = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
