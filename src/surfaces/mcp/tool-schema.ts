import type { Tool } from "@modelcontextprotocol/server";
import type * as z from "zod";
import { toWireSchema } from "../../kernel/operations/wire-schema.ts";
import { isJsonObject } from "../../text/formats/json-value.ts";

/** The input schema of a tool. `$schema` is included only if the operation declares it. */
export function toolInputSchema(schema: z.ZodObject): Tool["inputSchema"] {
  const { $schema } = (schema.meta() ?? {}) as { $schema?: string };
  // The JSON Schema of an object always has `type: "object"`, which zod's return type lacks.
  const wireSchema = withoutObviousBounds(toWireSchema(schema, "input"));
  return { ...($schema && { $schema }), ...Object(wireSchema) } as Tool["inputSchema"];
}

/**
 * Without greatest lengths, and without least lengths and counts of 0 and 1. They protect the
 * server; an agent rarely meets one, and the error names it.
 */
function withoutObviousBounds(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutObviousBounds);
  if (!isJsonObject(schema)) return schema;
  const isCount = schema.type === "integer";
  const isObvious = (key: string, value: unknown): boolean =>
    /^max(?:Length|Items)$/.test(key) ||
    (key === "minLength" && value === 1) ||
    (key === "minimum" && isCount && (value === 0 || value === 1));
  const kept = Object.entries(schema).filter(([key, value]) => !isObvious(key, value));
  return mapValues(Object.fromEntries(kept), (value, key) => {
    // The keys of `properties` are names, which may be the same as keywords.
    if (key === "properties" && isJsonObject(value)) return mapValues(value, withoutObviousBounds);
    return isSchemaKeyword(key) ? withoutObviousBounds(value) : value;
  });
}

const mapValues = (
  object: Record<string, unknown>,
  convert: (value: unknown, key: string) => unknown,
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, convert(value, key)]));

const isSchemaKeyword = (key: string): boolean =>
  /^(?:items|prefixItems|anyOf|oneOf|allOf|additionalProperties|propertyNames)$/.test(key);

/**
 * The output schema of a tool, reduced to the types of its top-level keys to save tokens: an agent
 * reads all tool descriptions at startup. `GET /tools` has the complete schemas.
 */
export function toolOutputSchema(schema: z.ZodObject): NonNullable<Tool["outputSchema"]> {
  const { properties = {} } = toWireSchema(schema, "output") as { properties?: Properties };
  const types = Object.entries(properties).map(([key, { type }]) => [key, type ? { type } : {}]);
  return { type: "object", ...(types.length > 0 && { properties: Object.fromEntries(types) }) };
}

type Properties = Record<string, { type?: string | string[] }>;
