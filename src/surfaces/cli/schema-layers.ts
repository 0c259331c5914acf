import * as z from "zod";

/** The schema and what it wraps, outermost first: `default(optional(string))` has three layers. */
export function layersOf(schema: z.ZodType): z.ZodType[] {
  const inner = wrapped(schema);
  return inner instanceof z.ZodType ? [schema, ...layersOf(inner)] : [schema];
}

/** What a value has to be if it is there. */
export const innermost = (schema: z.core.$ZodType): z.ZodType =>
  // Parts are typed by zod's core; what the classic API builds holds classic schemas throughout.
  layersOf(schema as z.ZodType).at(-1) ?? (schema as z.ZodType);

function wrapped(schema: z.ZodType): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return schema.unwrap();
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) return schema.unwrap();
  if (schema instanceof z.ZodCatch || schema instanceof z.ZodReadonly) return schema.unwrap();
  if (schema instanceof z.ZodLazy) return schema.unwrap();
  // What goes in is typed by the first half of a pipe, unless that half is a bare function.
  if (!(schema instanceof z.ZodPipe)) return undefined;
  return schema.in instanceof z.ZodTransform ? schema.out : schema.in;
}
