import * as z from "zod";

export type Schema = z.core.$ZodType;

/** What a schema is made of. Every schema that zod can make is one of the listed kinds. */
export const definitionOf = (schema: Schema) => (schema as z.core.$ZodTypes)._zod.def;

/** The schema below "optional", "with a default" and the like: what a value has to be if it is there. */
export function unwrapped(schema: Schema): Schema {
  const definition = definitionOf(schema);
  switch (definition.type) {
    case "optional":
    case "nullable":
    case "default":
    case "prefault":
    case "catch":
    case "readonly":
    case "nonoptional":
      return unwrapped(definition.innerType);
    case "pipe":
      return unwrapped(definition.in);
    case "lazy":
      return unwrapped(definition.getter());
    default:
      return schema;
  }
}

/**
 * An object marked `.meta({ verbatim: true })` is spelled as it is declared on every surface,
 * with all that lies in it: it is another protocol's form, such as an MCP resource.
 */
export const isVerbatim = (schema: Schema): boolean =>
  z.globalRegistry.get(schema)?.verbatim === true;
