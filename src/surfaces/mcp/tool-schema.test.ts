import { expect, test } from "vitest";
import * as z from "zod";
import { inputSchema, outputSchema } from "./tool-schema.ts";

test("[house.mcp.lean-schemas] notes for other surfaces and idle bounds stay at home", () => {
  const schema = z
    .object({
      query: z.string().meta({ short: "q", flag: "words", shell: { default: () => "" } }),
      limit: z.int().min(1).default(10).describe("Most results").meta({ short: "n" }),
      offset: z.int().optional(),
      rows: z.array(z.object({ json: z.string() }).meta({ verbatim: true })).optional(),
    })
    .meta({ json: "rows" });

  expect(inputSchema(schema)).toEqual({
    type: "object",
    properties: {
      query: { type: "string" },
      limit: { type: "integer", minimum: 1, default: 10, description: "Most results" },
      offset: { type: "integer" },
      rows: {
        type: "array",
        items: { type: "object", properties: { json: { type: "string" } }, required: ["json"] },
      },
    },
    required: ["query"],
  });
});

test("what an author says of the dialect stays", () => {
  const $schema = "https://json-schema.org/draft/2020-12/schema";

  expect(inputSchema(z.object({}).meta({ $schema }))).toMatchObject({ $schema });
  expect(inputSchema(z.object({}))).not.toHaveProperty("$schema");
});

test("[house.mcp.lean-schemas] of what a tool gives, the list tells the keys and their types", () => {
  const schema = z.object({
    results: z.array(z.object({ file: z.string() })).describe("The best first"),
    total: z.int().optional(),
    either: z.union([z.string(), z.int()]),
  });

  expect(outputSchema(schema)).toEqual({
    type: "object",
    properties: {
      results: { type: "array" },
      total: { type: "integer" },
      either: { type: ["string", "integer"] },
    },
  });
  expect(outputSchema(z.looseObject({}))).toEqual({ type: "object" });
});
