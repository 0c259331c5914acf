import { expect, test } from "vitest";
import * as z from "zod";
import { smallLibrary } from "../../../../tests/fixtures/library/small-library.ts";
import { failingShelf, finding } from "../../../../tests/fixtures/library/small-shelves.ts";
import { operationsFor } from "../../../kernel/operation.ts";
import { defineShelf } from "../../../kernel/shelf.ts";
import { noTables } from "../../../kernel/storage/migrations.ts";
import { createHttpApp } from "../http-app.ts";
import { openApiDocument } from "./openapi.ts";

const Tree = z.object({
  nodeName: z.string(),
  get childNodes() {
    return z.array(Tree).optional();
  },
});

/** A recursive schema, whose reference must stay valid inside the document. */
const growing = defineShelf({
  name: "growing",
  dialect: "qmd",
  guide: "Trees.",
  tables: noTables,
  open: () => ({}),
  operations: [
    operationsFor<unknown>()({
      name: "grow",
      title: "Grow",
      summary: "Grow a tree.",
      input: Tree,
      output: z.object({ grownTree: Tree, twin: Tree }),
      effect: "reads",
      expose: { http: "POST /grow" },
      example: { nodeName: "a" },
      run: (tree) => ({ grownTree: tree, twin: tree }),
    }),
  ],
});

const library = smallLibrary([finding, failingShelf, growing]);
// The tests below verify the shape of the document.
const document = openApiDocument(library) as {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, unknown>; securitySchemes: Record<string, unknown> };
} & Record<string, unknown>;

interface Described {
  operationId: string;
  parameters?: {
    name: string;
    in: string;
    required: boolean;
    schema: unknown;
    example?: unknown;
  }[];
  requestBody?: {
    required: boolean;
    content: Record<string, { schema: unknown; example?: unknown }>;
  };
  responses: Record<string, unknown>;
  security?: Record<string, unknown>[];
}

const methods = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, described]) => ({ path, method, described })),
);

test("[core.http.openapi] GET /openapi.json returns the same document each time", async () => {
  const app = createHttpApp({ app: library, mcp: async () => new Response() });
  const [first, second] = [await app.request("/openapi.json"), await app.request("/openapi.json")];
  const words = await first.text();

  expect(words).toBe(await second.text());
  expect(JSON.parse(words)).toEqual(JSON.parse(JSON.stringify(document)));
  expect(document.openapi).toBe("3.1.1");
});

test("[core.http.openapi] every route of the catalogue is listed, in its order", () => {
  const described = methods.map(({ path, method }) => `${method.toUpperCase()} ${path}`);
  const declared = library.catalogue.entries.flatMap<string>(
    ({ operation }) => operation.expose.http ?? [],
  );

  expect(described.filter((route) => declared.includes(route))).toEqual(
    declared.filter((route) => !route.includes("+}")),
  );
  expect(described).toContain("DELETE /notes/{path}");
  for (const path of [
    "GET /",
    "GET /tools",
    "POST /tools/{name}",
    "POST /mcp",
    "GET /events",
    "GET /health",
  ]) {
    expect(described).toContain(path);
  }
});

test("[core.http.openapi] every reference resolves", () => {
  const references: string[] = [];
  JSON.stringify(document, (key, value) => {
    if (key === "$ref") references.push(value);
    return value;
  });

  expect(references.length).toBeGreaterThan(30);
  for (const reference of references) {
    const found = reference
      .replace("#/", "")
      .split("/")
      .reduce<unknown>((place, step) => Object(place)[step], document);
    expect([reference, typeof found]).toEqual([reference, "object"]);
  }
  expect(references.some((reference) => reference.startsWith("#/components/schemas/grow."))).toBe(
    true,
  );
});

test("[core.http.openapi] each path declares its parameters, and each operation has a unique id", () => {
  const ids = methods.map(({ described }) => described.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { path, method, described } of methods) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const declared = (described.parameters ?? []).filter((parameter) => parameter.in === "path");
    expect([path, declared.map(({ name }) => name)]).toEqual([path, inPath]);
    expect(declared.every(({ required }) => required)).toBe(true);
    expect(Object.keys(described.responses)).toContain("200");
    if (method === "get" || method === "delete") expect(described.requestBody).toBeUndefined();
    for (const name of (described.security ?? []).flatMap(Object.keys)) {
      expect(Object.keys(document.components.securitySchemes)).toContain(name);
    }
  }
});

test("[core.http.openapi] schemas and examples use the spelling of the API", () => {
  const { schemas } = document.components;

  expect(schemas["find.input"]).toMatchObject({
    properties: { min_score: { type: "number", default: 0 }, query: { type: "string" } },
    required: ["query"],
  });
  expect(schemas["find.output"]).toMatchObject({
    properties: { total_found: { type: "integer" }, content: { type: ["string", "null"] } },
    required: ["results", "total_found", "asked", "content"],
  });
  expect(schemas["fetch.output"]).toMatchObject({
    properties: {
      document: { properties: { mimeType: { type: "string" } }, required: ["uri", "mimeType"] },
    },
  });
  expect(JSON.stringify(schemas["grow.output"])).not.toContain("childNodes");
  expect(schemas["count_words.input"]).toMatchObject({ properties: { wordList: {} } });
  expect(document.paths["/find"]?.post?.requestBody?.content["application/json"]?.example).toEqual({
    query: "meeting",
    min_score: 0.5,
  });
  expect(document.paths["/folders"]?.get?.parameters?.map(({ name }) => name)).toEqual([
    "name_part",
    "limit",
    "deep",
    "kind",
    "id",
  ]);
});

test("path parameters are not repeated in the body", () => {
  expect(document.components.schemas["folder_rename.input"]).toMatchObject({
    properties: { new_name: { type: "string" } },
    required: ["new_name"],
  });
  expect(document.components.schemas["folder_rename.input"]).not.toHaveProperty("properties.name");
});
