import * as z from "zod";

/** Annotations that operations add to their schemas with `meta`, for the command line and REST. */
export interface SchemaAnnotations {
  /**
   * A description for people only. Agents do not get it, because descriptions cost tokens and the
   * name is enough for them.
   */
  help?: string;
  /** A one-character flag. */
  short?: string;
  /** Alternative flag names, as in `"mask|glob"`; false if another flag sets the value. */
  flag?: string | false;
  /** Separator of list items in a single argument. */
  separator?: string;
  /** A path on disk, relative to the user's current folder. */
  path?: true;
  /** The default value at a shell. */
  shell?: {
    default: (typed: Record<string, unknown>, root: string) => string | number;
    label: string;
  };
  /** The key of an output that `--json` prints alone. */
  json?: string;
  /** The key of the output that REST returns as `data`, where a specification prescribes a list. */
  list?: string;
  /**
   * Rows that users may open in a spreadsheet: CSV output escapes text that looks like a formula.
   */
  guarded?: true;
  /** The rows of an output name documents as `collection/path`: a shell can show where they are. */
  documents?: true;
  /** False for an output that REST returns without its text, as its specification prescribes. */
  content?: false;
  /** Keys of this object are spelled as declared, on every surface. */
  verbatim?: true;
}

const annotationKeys = [
  "help",
  "short",
  "flag",
  "separator",
  "path",
  "shell",
  "json",
  "list",
  "guarded",
  "documents",
  "content",
  "verbatim",
] as const satisfies (keyof SchemaAnnotations)[];

/**
 * A schema as sent to clients, which pay tokens for it. Removes Lectern's annotations, except those
 * in `preserved`, and redundant keywords: the bounds of safe integers, the pattern of a known format,
 * and `additionalProperties: {}`.
 */
export function toWireSchema(
  schema: z.core.$ZodType,
  io: "input" | "output",
  preserved: readonly (keyof SchemaAnnotations)[] = [],
): Record<string, unknown> {
  const { $schema: _dialect, ...wireSchema } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override({ jsonSchema }) {
      for (const key of annotationKeys) if (!preserved.includes(key)) delete jsonSchema[key];
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      if (isEmptyObject(jsonSchema.additionalProperties)) delete jsonSchema.additionalProperties;
    },
  });
  return wireSchema;
}

const isEmptyObject = (schema: unknown): boolean =>
  typeof schema === "object" && schema !== null && Object.keys(schema).length === 0;
