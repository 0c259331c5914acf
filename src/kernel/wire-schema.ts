import * as z from "zod";

/** What operations note in their schemas by `meta`, for the command line and for REST. */
export interface SchemaNotes {
  /** What it means, for people alone: an agent pays for each description, and knows from the name. */
  says?: string;
  /** A flag of one letter. */
  short?: string;
  /** Other names for the flag, `"mask|glob"`, or none where another flag gives the same. */
  flag?: string | false;
  /** What may stand between the items of a list that is typed at once. */
  separator?: string;
  /** A path on disk, which starts from the folder of whoever typed it. */
  path?: true;
  /** What stands for the value at a shell where nothing was typed. */
  shell?: { default: (typed: Record<string, unknown>, root: string) => string; says: string };
  /** The key of an output that `--json` prints alone. */
  json?: string;
  /** The key of an output that is all of `data` where a founding document answers with a list. */
  list?: string;
  /** Rows that people open as a sheet: in CSV, a text that looks like a formula stays a text. */
  guarded?: true;
  /** Keys of this object are spelled as declared, on every surface. */
  verbatim?: true;
}

const notes = [
  "says",
  "short",
  "flag",
  "separator",
  "path",
  "shell",
  "json",
  "list",
  "guarded",
  "verbatim",
] as const satisfies (keyof SchemaNotes)[];

/**
 * A schema as the other side reads it, at its own cost: without the notes for our surfaces save
 * those that are `kept`, and without what would say nothing: bounds that every whole number has,
 * the letters of a known format, and that an object may have other keys of any kind.
 */
export function wireSchema(
  schema: z.core.$ZodType,
  io: "input" | "output",
  kept: readonly (keyof SchemaNotes)[] = [],
): Record<string, unknown> {
  const { $schema: _dialect, ...made } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override({ jsonSchema }) {
      for (const note of notes) if (!kept.includes(note)) delete jsonSchema[note];
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      if (isEmpty(jsonSchema.additionalProperties)) delete jsonSchema.additionalProperties;
    },
  });
  return made;
}

const isEmpty = (schema: unknown): boolean =>
  typeof schema === "object" && schema !== null && Object.keys(schema).length === 0;
