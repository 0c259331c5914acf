import type { Tool } from "@modelcontextprotocol/server";
import * as z from "zod";

/**
 * A schema as an agent reads it, on every start and at its own cost: without what other surfaces
 * noted in it, without bounds that every whole number has, and without the name of the dialect
 * where it is the protocol's own.
 */
export function toolSchema(schema: z.ZodObject, io: "input" | "output"): Tool["inputSchema"] {
  const { $schema: dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    override({ jsonSchema }) {
      for (const note of notes) delete jsonSchema[note];
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  const said = "$schema" in (schema.meta() ?? {});
  // The schema of an object has this type, which the library's own type of schemas cannot say.
  return { ...(said && { $schema: dialect }), ...rest } as Tool["inputSchema"];
}

/** What operations note for the command line and for REST, by `meta`. */
const notes = ["short", "flag", "shell", "json", "verbatim"];
