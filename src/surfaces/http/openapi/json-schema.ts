import { toWireSchema } from "../../../kernel/operations/wire-schema.ts";
import type { ZodSchema } from "../../schema-layers.ts";
import { declaredKeys, type KeySpelling } from "../requests/key-spelling.ts";

export type JsonSchema = Record<string, unknown>;

/** Converts a schema to JSON Schema, with its declared keys in the spelling of a surface. */
export function jsonSchemaOf(
  schema: ZodSchema,
  io: "input" | "output",
  spelling: KeySpelling = declaredKeys,
): JsonSchema {
  return respell(toWireSchema(schema, io, ["verbatim"]), spelling);
}

/** Keywords whose value is a schema or a list of schemas, and `$defs`. */
const nestedKeywords = [
  "items",
  "prefixItems",
  "anyOf",
  "oneOf",
  "allOf",
  "additionalProperties",
  "$defs",
];

/** Respells the keys of a JSON Schema by the rule of `key-spelling.ts`: declared keys that are not verbatim. */
function respell(schema: JsonSchema, spelling: KeySpelling): JsonSchema {
  const { verbatim, ...rest } = schema;
  const here = verbatim ? declaredKeys : spelling;
  const entries = Object.entries(rest).map(([keyword, value]): [string, unknown] => {
    if (keyword === "properties") {
      return [keyword, mapValues(value, here, (key) => here.key(key))];
    }
    if (keyword === "required" && Array.isArray(value)) {
      return [keyword, value.map((key) => here.key(String(key)))];
    }
    if (keyword === "$defs") return [keyword, mapValues(value, here, (name) => name)];
    return [keyword, nestedKeywords.includes(keyword) ? respellAny(value, here) : value];
  });
  return Object.fromEntries(entries);
}

const mapValues = (value: unknown, spelling: KeySpelling, rename: (key: string) => string) =>
  Object.fromEntries(
    Object.entries(Object(value)).map(([key, schema]) => [
      rename(key),
      respellAny(schema, spelling),
    ]),
  );

function respellAny(value: unknown, spelling: KeySpelling): unknown {
  if (Array.isArray(value)) return value.map((item) => respellAny(item, spelling));
  return typeof value === "object" && value !== null ? respell({ ...value }, spelling) : value;
}
