import { expect, test } from "vitest";
import * as z from "zod";
import { toolSchema } from "./tool-schema.ts";

test("[house.mcp.lean-schemas] notes for other surfaces and idle bounds stay at home", () => {
  const schema = z
    .object({
      query: z.string().meta({ short: "q", flag: "words", shell: { default: () => "" } }),
      limit: z.int().min(1).default(10).describe("Most results").meta({ short: "n" }),
      offset: z.int().optional(),
      rows: z.array(z.object({ json: z.string() }).meta({ verbatim: true })).optional(),
    })
    .meta({ json: "rows" });

  expect(toolSchema(schema, "input")).toEqual({
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

  expect(toolSchema(z.object({}).meta({ $schema }), "input")).toMatchObject({ $schema });
  expect(toolSchema(z.object({}), "input")).not.toHaveProperty("$schema");
});
