import * as z from "zod";

export type ZodSchema = z.core.$ZodType;

/** The definition of a schema, as a union of all kinds of schema that zod has. */
export const zodDefinition = (schema: ZodSchema) => (schema as z.core.$ZodTypes)._zod.def;

/**
 * The schema inside a wrapper such as `optional` or `default`; undefined if the schema is not a
 * wrapper. For a pipe it is the input side, unless that is a bare transformation function.
 */
export function innerSchemaOf(schema: ZodSchema): ZodSchema | undefined {
  const definition = zodDefinition(schema);
  switch (definition.type) {
    case "optional":
    case "nullable":
    case "default":
    case "prefault":
    case "catch":
    case "readonly":
    case "nonoptional":
      return definition.innerType;
    case "pipe":
      return zodDefinition(definition.in).type === "transform" ? definition.out : definition.in;
    case "lazy":
      return definition.getter();
    default:
      return undefined;
  }
}

/** The schema and the schemas it wraps, outermost first: `default(optional(string))` has three layers. */
export function schemaLayers(schema: ZodSchema): z.ZodType[] {
  const inner = innerSchemaOf(schema);
  // The type of a part is zod's core type, but schemas of the classic API hold only classic ones.
  const layer = schema as z.ZodType;
  return inner ? [layer, ...schemaLayers(inner)] : [layer];
}

/** The schema without its wrappers: the schema of a value that is present. */
export function innermostSchema(schema: ZodSchema): z.ZodType {
  const inner = innerSchemaOf(schema);
  return inner ? innermostSchema(inner) : (schema as z.ZodType);
}

/**
 * An object with `.meta({ verbatim: true })` keeps its spelling on every surface, including its
 * members. It has the format of another protocol, such as an MCP resource.
 */
export const isVerbatim = (schema: ZodSchema): boolean =>
  z.globalRegistry.get(schema)?.verbatim === true;
