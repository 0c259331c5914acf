import type { Tool } from "@modelcontextprotocol/server";
import type * as z from "zod";
import { wireSchema } from "../../kernel/wire-schema.ts";

/** A schema as an agent reads it; it names its dialect only where the operation said which. */
export function toolSchema(schema: z.ZodObject, io: "input" | "output"): Tool["inputSchema"] {
  const { $schema } = (schema.meta() ?? {}) as { $schema?: string };
  // The schema of an object has this type, which the library's own type of schemas cannot say.
  return { ...($schema && { $schema }), ...wireSchema(schema, io) } as Tool["inputSchema"];
}
