import * as z from "zod";
import { innermost, layersOf } from "./schema-layers.ts";

/** One key of an input schema, as it is typed at a shell. Positionals are read by the same rules. */
export interface Flag {
  /** The key in the schema. */
  readonly key: string;
  /** What is typed after the two dashes. */
  readonly name: string;
  /** False for a key that only the wire has: `.meta({ flag: false })`. */
  readonly isTyped: boolean;
  /** Other names that are taken as well, and shown nowhere. */
  readonly aliases: readonly string[];
  readonly short: string | undefined;
  readonly takes: Takes;
  /** True where it may be given several times. */
  readonly many: boolean;
  /** What parts several values in one word, where the schema names a sign: `-c notes,papers`. */
  readonly separator: string | undefined;
  /** The only values there are, where the schema lists them. */
  readonly choices: readonly string[];
  readonly required: boolean;
  readonly fallback: unknown;
  readonly shell: ShellDefault | undefined;
  /** True for a path that starts from the folder of whoever types it. */
  readonly isPath: boolean;
  readonly range: string | undefined;
  readonly about: string;
  readonly schema: z.ZodType;
}

/**
 * What stands for a value that the wire demands and a shell knows: `.meta({ shell: { default,
 * says } })`. It gets what was typed so far and the folder that relative paths start from.
 */
interface ShellDefault {
  default(typed: Readonly<Record<string, unknown>>, root: string): unknown;
  /** Its words in help: "the current folder". */
  readonly says: string;
}

type Takes = "nothing" | "text" | "number" | "whole number" | "json";

/**
 * The flags of a schema, in the schema's order. `.meta({ short: "n" })` gives one letter beside
 * the name, `.meta({ flag: "mask|glob" })` other names than the key's.
 */
export function flagsOf(input: z.ZodObject): Flag[] {
  // A shape is typed by zod's core; what `z.object` of the classic API holds is classic throughout.
  const shape = Object.entries(input.shape as Record<string, z.ZodType>);
  return shape.map(([key, schema]) => flagOf(key, schema));
}

export function flagOf(key: string, schema: z.ZodType): Flag {
  const layers = layersOf(schema);
  const core = layers.at(-1) ?? schema;
  const meta = metaOf(layers);
  const items = itemsOf(core);
  const item = items ?? core;
  const [name = "", ...aliases] = (meta.flag || kebab(key)).split("|");
  return {
    key,
    name,
    isTyped: meta.flag !== false,
    aliases,
    short: meta.short,
    takes: takesOf(item),
    many: items !== undefined,
    separator: meta.separator,
    choices: choicesOf(item),
    required: !meta.shell && !schema.safeParse(undefined).success,
    fallback: layers.find((layer) => layer instanceof z.ZodDefault)?.def.defaultValue,
    shell: meta.shell,
    isPath: meta.path === true,
    range: rangeOf(item),
    about: (meta.description ?? meta.says ?? "").replace(/\.$/, ""),
    schema,
  };
}

interface FlagMeta {
  flag?: string | false;
  short?: string;
  description?: string;
  says?: string;
  shell?: ShellDefault;
  separator?: string;
  path?: true;
}

/** What the layers say about themselves; the outer one has the last word. */
function metaOf(layers: readonly z.ZodType[]): FlagMeta {
  return Object.assign({}, ...layers.map((layer) => layer.meta() ?? {}).reverse());
}

/** `minScore` and `min_score` are both typed `min-score`. */
const kebab = (key: string): string =>
  key
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replaceAll("_", "-")
    .toLowerCase();

/** The schema of a list's items; a union that takes one or a list is a list. */
function itemsOf(schema: z.ZodType): z.ZodType | undefined {
  if (schema instanceof z.ZodArray) return innermost(schema.element);
  if (!(schema instanceof z.ZodUnion)) return undefined;
  const list = schema.options.find((option) => innermost(option) instanceof z.ZodArray);
  return list && itemsOf(innermost(list));
}

function takesOf(schema: z.ZodType): Takes {
  if (schema instanceof z.ZodBoolean) return "nothing";
  if (schema instanceof z.ZodNumber) return schema.isInt ? "whole number" : "number";
  if (schema instanceof z.ZodEnum) return "text";
  if (schema instanceof z.ZodLiteral) return takesOfValue([...schema.values][0]);
  if (schema instanceof z.ZodUnion) {
    const members = schema.options.map((option) => takesOf(innermost(option)));
    // An id is a number or its decimal string: what was typed serves as it stands.
    return members.includes("text") ? "text" : (members[0] ?? "json");
  }
  return isText(schema) ? "text" : "json";
}

function takesOfValue(value: unknown): Takes {
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
  const members = schema.options.map((option) => choicesOf(innermost(option)));
  return members.every((choices) => choices.length > 0) ? members.flat() : [];
}

function rangeOf(schema: z.ZodType): string | undefined {
  if (!(schema instanceof z.ZodNumber)) return undefined;
  const [least, most] = [schema.minValue, schema.maxValue].map((bound) =>
    bound === null || Math.abs(bound) >= Number.MAX_SAFE_INTEGER ? undefined : bound,
  );
  if (least !== undefined && most !== undefined) return `${least} to ${most}`;
  if (least !== undefined) return `at least ${least}`;
  return most === undefined ? undefined : `at most ${most}`;
}
