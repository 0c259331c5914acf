import { wireSchema } from "../../kernel/wire-schema.ts";
import { asDeclared, type Spelling } from "./casing.ts";
import type { Schema } from "./schema-shape.ts";

export type JsonSchema = Record<string, unknown>;

/** A schema for the wire, with its declared keys as a surface spells them. */
export function jsonSchemaOf(
  schema: Schema,
  io: "input" | "output",
  spelling: Spelling = asDeclared,
): JsonSchema {
  return respell(wireSchema(schema, io, ["verbatim"]), spelling);
}

/** Keywords whose value is one schema, a list of them, or schemas by a name that is not a key. */
const inner = ["items", "prefixItems", "anyOf", "oneOf", "allOf", "additionalProperties", "$defs"];

/** Walks the JSON Schema by the rule of `casing.ts`: declared keys alone, and nothing verbatim. */
function respell(schema: JsonSchema, spelling: Spelling): JsonSchema {
  const { verbatim, ...rest } = schema;
  const here = verbatim ? asDeclared : spelling;
  const entries = Object.entries(rest).map(([keyword, value]): [string, unknown] => {
    if (keyword === "properties") {
      return [keyword, mapValues(value, here, (key) => here.key(key))];
    }
    if (keyword === "required" && Array.isArray(value)) {
      return [keyword, value.map((key) => here.key(String(key)))];
    }
    if (keyword === "$defs") return [keyword, mapValues(value, here, (name) => name)];
    return [keyword, inner.includes(keyword) ? respellAny(value, here) : value];
  });
  return Object.fromEntries(entries);
}

const mapValues = (value: unknown, spelling: Spelling, rename: (key: string) => string) =>
  Object.fromEntries(
    Object.entries(Object(value)).map(([key, schema]) => [
      rename(key),
      respellAny(schema, spelling),
    ]),
  );

function respellAny(value: unknown, spelling: Spelling): unknown {
  if (Array.isArray(value)) return value.map((one) => respellAny(one, spelling));
  return typeof value === "object" && value !== null ? respell({ ...value }, spelling) : value;
}
