import type { Tool } from "@modelcontextprotocol/server";
import type * as z from "zod";
import { wireSchema } from "../../kernel/wire-schema.ts";

/** What a tool takes, as an agent reads it; it names its dialect only where the operation did. */
export function inputSchema(schema: z.ZodObject): Tool["inputSchema"] {
  const { $schema } = (schema.meta() ?? {}) as { $schema?: string };
  // The schema of an object has this type, which the library's own type of schemas cannot say.
  return { ...($schema && { $schema }), ...wireSchema(schema, "input") } as Tool["inputSchema"];
}

/**
 * What a tool gives: its keys and of what type each is. An agent reads the whole list of tools
 * before it can begin, and sees what lies deeper in the answer; programs find it in `GET /tools`.
 */
export function outputSchema(schema: z.ZodObject): NonNullable<Tool["outputSchema"]> {
  const { properties = {} } = wireSchema(schema, "output") as { properties?: Properties };
  const types = Object.entries(properties).map(([key, { type }]) => [key, type ? { type } : {}]);
  return { type: "object", ...(types.length > 0 && { properties: Object.fromEntries(types) }) };
}

type Properties = Record<string, { type?: string | string[] }>;
