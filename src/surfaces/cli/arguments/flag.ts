import * as z from "zod";
import { toSnakeCase } from "../../../text/strings/key-case.ts";
import { innermostSchema, schemaLayers } from "../../schema-layers.ts";

/** A key of an input schema as a command-line flag. Positionals follow the same rules. */
export interface Flag {
  /** The key in the schema. */
  readonly key: string;
  /** The name after the two dashes. */
  readonly name: string;
  /** False for a key without a flag: `.meta({ flag: false })`. */
  readonly isCliFlag: boolean;
  /** Other accepted names, which help does not show. */
  readonly aliases: readonly string[];
  readonly short: string | undefined;
  readonly valueType: FlagValueType;
  /** True if it may be repeated. */
  readonly isList: boolean;
  /** The separator of several values in one argument, if the schema has one: `-c notes,papers`. */
  readonly separator: string | undefined;
  /** The allowed values, if the schema lists them. */
  readonly choices: readonly string[];
  readonly required: boolean;
  readonly defaultValue: unknown;
  readonly shellDefault: ShellDefault | undefined;
  /** True for a path, which is relative to the caller's working folder. */
  readonly isPath: boolean;
  readonly range: string | undefined;
  readonly description: string;
  readonly schema: z.ZodType;
}

/**
 * The default of a key that is required over MCP and HTTP but known at a shell:
 * `.meta({ shell: { default, label } })`. It receives the other values and the working folder.
 */
interface ShellDefault {
  default(typed: Readonly<Record<string, unknown>>, root: string): unknown;
  /** Its description in help: "the current folder". */
  readonly label: string;
}

type FlagValueType = "nothing" | "text" | "number" | "whole number" | "json";

/**
 * The flags of a schema, in the schema's order. `.meta({ short: "n" })` adds a short flag,
 * `.meta({ flag: "mask|glob" })` replaces the name and adds an alias.
 */
export function flagsOf(input: z.ZodObject): Flag[] {
  // The type of a shape is zod's core type, but schemas of the classic API hold only classic ones.
  const shape = Object.entries(input.shape as Record<string, z.ZodType>);
  return shape.map(([key, schema]) => flagOf(key, schema));
}

export function flagOf(key: string, schema: z.ZodType): Flag {
  const layers = schemaLayers(schema);
  const core = layers.at(-1) ?? schema;
  const meta = metaOf(layers);
  const items = itemsOf(core);
  const item = items ?? core;
  const [name = "", ...aliases] = (meta.flag || toKebabCase(key)).split("|");
  return {
    key,
    name,
    isCliFlag: meta.flag !== false,
    aliases,
    short: meta.short,
    valueType: valueTypeOf(item),
    isList: items !== undefined,
    separator: meta.separator,
    choices: choicesOf(item),
    required: !meta.shell && !schema.safeParse(undefined).success,
    defaultValue: layers.find((layer) => layer instanceof z.ZodDefault)?.def.defaultValue,
    shellDefault: meta.shell,
    isPath: meta.path === true,
    range: rangeOf(item),
    description: (meta.description ?? meta.help ?? "").replace(/\.$/, ""),
    schema,
  };
}

interface FlagMeta {
  flag?: string | false;
  short?: string;
  description?: string;
  help?: string;
  shell?: ShellDefault;
  separator?: string;
  path?: true;
}

/** The merged metadata of all layers; outer layers override inner ones. */
function metaOf(layers: readonly z.ZodType[]): FlagMeta {
  return Object.assign({}, ...layers.map((layer) => layer.meta() ?? {}).reverse());
}

/** `minScore` and `min_score` both become `min-score`. */
const toKebabCase = (key: string): string => toSnakeCase(key).replaceAll("_", "-");

/** The item schema of a list. A union of one item and a list counts as a list. */
function itemsOf(schema: z.ZodType): z.ZodType | undefined {
  if (schema instanceof z.ZodArray) return innermostSchema(schema.element);
  if (!(schema instanceof z.ZodUnion)) return undefined;
  const list = schema.options.find((option) => innermostSchema(option) instanceof z.ZodArray);
  return list && itemsOf(innermostSchema(list));
}

function valueTypeOf(schema: z.ZodType): FlagValueType {
  if (schema instanceof z.ZodBoolean) return "nothing";
  if (schema instanceof z.ZodNumber) return schema.isInt ? "whole number" : "number";
  if (schema instanceof z.ZodEnum) return "text";
  if (schema instanceof z.ZodLiteral) return literalValueType([...schema.values][0]);
  if (schema instanceof z.ZodUnion) {
    const members = schema.options.map((option) => valueTypeOf(innermostSchema(option)));
    // An id is a number or its decimal string, so the typed text needs no conversion.
    return members.includes("text") ? "text" : (members[0] ?? "json");
  }
  return isText(schema) ? "text" : "json";
}

function literalValueType(value: unknown): FlagValueType {
  if (typeof value === "boolean") return "nothing";
  return typeof value === "number" ? "number" : "text";
}

const isText = (schema: z.ZodType): boolean =>
  schema.def.type === "string" || schema.def.type === "template_literal";

function choicesOf(schema: z.ZodType): string[] {
  if (schema instanceof z.ZodEnum) return schema.options.map(String);
  if (schema instanceof z.ZodLiteral) {
    return [...schema.values].filter((value) => typeof value === "string");
  }
  if (!(schema instanceof z.ZodUnion)) return [];
  const members = schema.options.map((option) => choicesOf(innermostSchema(option)));
  return members.every((choices) => choices.length > 0) ? members.flat() : [];
}

function rangeOf(schema: z.ZodType): string | undefined {
  if (!(schema instanceof z.ZodNumber)) return undefined;
  const [min, max] = [schema.minValue, schema.maxValue].map((bound) =>
    bound === null || Math.abs(bound) >= Number.MAX_SAFE_INTEGER ? undefined : bound,
  );
  if (min !== undefined && max !== undefined) return `${min} to ${max}`;
  if (min !== undefined) return `at least ${min}`;
  return max === undefined ? undefined : `at most ${max}`;
}
