import type { Entry } from "../../kernel/catalogue.ts";
import type { Library } from "../../kernel/library.ts";
import { housePaths, houseSchemas } from "./house-paths.ts";
import { type JsonSchema, jsonSchemaOf } from "./json-schema.ts";
import type { PathTemplate } from "./path-template.ts";
import { takesBody } from "./request-input.ts";
import type { Method } from "./route.ts";
import { carriesContent, placeOf, spellingOf } from "./routes.ts";

type Place = { method: Method; path: PathTemplate };

/** The catalogue as an OpenAPI 3.1 document, in the catalogue's own order. */
export function openApi({
  identity,
  catalogue,
}: Pick<Library, "identity" | "catalogue">): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = housePaths();
  const schemas: Record<string, JsonSchema> = houseSchemas();
  for (const entry of catalogue.entries) {
    const place = placeOf(entry);
    if (!place) continue;
    const { name } = entry.operation;
    const fields = fieldsOf(entry, place);
    if (takesBody(place.method)) schemas[`${name}.input`] = fields.body;
    schemas[`${name}.output`] = outputOf(entry);
    paths[place.path.openApi] = {
      ...paths[place.path.openApi],
      [place.method.toLowerCase()]: describe(entry, place, fields),
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
  token: { type: "http", scheme: "bearer", description: "Needed where the server has one." },
  page: {
    type: "apiKey",
    in: "cookie",
    name: "lectern-page",
    description:
      "A session of the web app's own page, taken with the page's key alone; ends in the port.",
  },
};

const failures: Readonly<Record<string, string>> = {
  400: "A parameter is missing, unknown or wrong.",
  401: "A credential is missing or wrong.",
  403: "The host, the origin or the sender may not do this.",
  404: "There is no such thing.",
  409: "The state of things does not allow it.",
  413: "The request is too large.",
  415: "The body is not JSON.",
  500: "Internal error.",
  503: "Something that is needed is not there, or the time was up.",
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
  /** What is left of the input once the path has taken its part. */
  body: JsonSchema;
  example: Record<string, unknown>;
}

/** The input as this surface spells it, cut into what the path, the query and the body carry. */
function fieldsOf(entry: Entry, { method, path }: Place): Fields {
  const { operation } = entry;
  const spelling = spellingOf(entry);
  const schema = located(
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
    const place = inPath.indexOf(name);
    if (place < 0 && takesBody(method)) return [];
    const { description, ...rest } = record(property);
    return {
      name: path.parameters[place] ?? name,
      in: place < 0 ? "query" : "path",
      required: place >= 0 || required.includes(name),
      ...(description !== undefined && { description }),
      schema: rest,
      ...(Object.hasOwn(example, name) && { example: example[name] }),
    };
  });
  const isBeside = ([name]: [string, unknown]) => !inPath.includes(name);
  return {
    parameters,
    body: {
      ...schema,
      properties: Object.fromEntries(properties.filter(isBeside)),
      required: required.filter((name) => !inPath.includes(name)),
    },
    example: Object.fromEntries(Object.entries(example).filter(isBeside)),
  };
}

function outputOf(entry: Entry): JsonSchema {
  const { operation } = entry;
  const schema = located(
    jsonSchemaOf(operation.output, "output", spellingOf(entry)),
    `#/components/schemas/${operation.name}.output`,
  );
  if (!carriesContent(entry)) return schema;
  const content = {
    type: ["string", "null"],
    description: "The same for a reader, if it is text.",
  };
  return {
    ...schema,
    properties: { ...record(schema.properties), content },
    required: [...list(schema.required), "content"],
  };
}

function describe({ operation, shelf }: Entry, { method }: Place, fields: Fields) {
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

/** A recursive schema points at its own root, which is elsewhere once it is part of a document. */
function located(schema: JsonSchema, home: string): JsonSchema {
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

const json = (schema: JsonSchema, beside: object = {}) => ({
  "application/json": { schema, ...beside },
});

const record = (value: unknown): Record<string, unknown> => ({ ...Object(value) });

const list = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
