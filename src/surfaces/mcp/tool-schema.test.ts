import { expect, test } from "vitest";
import * as z from "zod";
import { toolInputSchema, toolOutputSchema } from "./tool-schema.ts";

test("[core.mcp.lean-schemas] hints for other surfaces and redundant bounds are left out of tool schemas", () => {
  const schema = z
    .object({
      query: z.string().meta({ short: "q", flag: "words", shell: { default: () => "" } }),
      limit: z.int().min(1).default(10).describe("Most results").meta({ short: "n" }),
      offset: z.int().optional(),
      rows: z.array(z.object({ json: z.string() }).meta({ verbatim: true })).optional(),
    })
    .meta({ json: "rows" });

  expect(toolInputSchema(schema)).toEqual({
    type: "object",
    properties: {
      query: { type: "string" },
      limit: { type: "integer", default: 10, description: "Most results" },
      offset: { type: "integer" },
      rows: {
        type: "array",
        items: { type: "object", properties: { json: { type: "string" } }, required: ["json"] },
      },
    },
    required: ["query"],
  });
});

test("descriptions of the dialect's author are kept", () => {
  const $schema = "https://json-schema.org/draft/2020-12/schema";

  expect(toolInputSchema(z.object({}).meta({ $schema }))).toMatchObject({ $schema });
  expect(toolInputSchema(z.object({}))).not.toHaveProperty("$schema");
});

test("[core.mcp.lean-schemas] output schemas list only keys and types", () => {
  const schema = z.object({
    results: z.array(z.object({ file: z.string() })).describe("The best first"),
    total: z.int().optional(),
    either: z.union([z.string(), z.int()]),
  });

  expect(toolOutputSchema(schema)).toEqual({
    type: "object",
    properties: {
      results: { type: "array" },
      total: { type: "integer" },
      either: { type: ["string", "integer"] },
    },
  });
  expect(toolOutputSchema(z.looseObject({}))).toEqual({ type: "object" });
});
