import * as z from "zod";
import { invalid } from "../../../kernel/failure.ts";
import { toSnakeCase } from "../../../text/strings/key-case.ts";
import { innerSchemaOf, isVerbatim, type ZodSchema, zodDefinition } from "../../schema-layers.ts";

/**
 * The spelling of a shelf's keys on this surface. Only keys that a schema declares are respelled;
 * keys that are data, such as those of a record, are unchanged.
 */
export interface KeySpelling {
  /** The spelling of a declared key on this surface. */
  key(declared: string): string;
  /** Respells the declared keys of an output value. */
  write(schema: ZodSchema, value: unknown): unknown;
  /** Restores the declared spelling in an input value; both spellings are accepted. */
  read(schema: ZodSchema, value: unknown): unknown;
}

export const declaredKeys: KeySpelling = {
  key: (declared) => declared,
  write: (_schema, value) => value,
  read: (_schema, value) => value,
};

/** The founding document of the search shelf uses camelCase over MCP and snake_case over REST. */
export const snakeCaseKeys: KeySpelling = {
  key: toSnakeCase,
  write: (schema, value) => respell(schema, value, outward),
  read: (schema, value) => respell(schema, value, inward),
};

interface Direction {
  /** The key of the result, given both spellings. */
  key(declared: string, snakeCase: string): string;
  /** The side of a zod pipe that describes the value. */
  side: "in" | "out";
  /** Whether an option of a union describes the value. */
  matches(option: ZodSchema, value: unknown, respelled: unknown): boolean;
}

const outward: Direction = {
  key: (_declared, snakeCase) => snakeCase,
  side: "out",
  matches: (option, value) => z.safeParse(option, value).success,
};

const inward: Direction = {
  key: (declared) => declared,
  side: "in",
  matches: (option, _value, respelled) => z.safeParse(option, respelled).success,
};

function respell(schema: ZodSchema, value: unknown, direction: Direction): unknown {
  if (typeof value !== "object" || value === null || isVerbatim(schema)) return value;
  const definition = zodDefinition(schema);
  switch (definition.type) {
    case "object":
      return Array.isArray(value) ? value : respellKeys(definition.shape, value, direction);
    case "array":
      return mapItems(value, (item) => respell(definition.element, item, direction));
    case "tuple":
      return mapItems(value, (item, index) => {
        const itemSchema = definition.items[index] ?? definition.rest;
        return itemSchema ? respell(itemSchema, item, direction) : item;
      });
    case "record":
      return Object.fromEntries(
        Object.entries(value).map(([key, inner]) => [
          key,
          respell(definition.valueType, inner, direction),
        ]),
      );
    case "union": {
      for (const option of definition.options) {
        const respelled = respell(option, value, direction);
        if (direction.matches(option, value, respelled)) return respelled;
      }
      return value;
    }
    case "intersection":
      return respell(definition.right, respell(definition.left, value, direction), direction);
    case "pipe":
      return respell(definition[direction.side], value, direction);
    default: {
      const inner = innerSchemaOf(schema);
      return inner ? respell(inner, value, direction) : value;
    }
  }
}

const mapItems = (value: object, change: (item: unknown, index: number) => unknown): unknown =>
  Array.isArray(value) ? value.map(change) : value;

function respellKeys(
  shape: Readonly<Record<string, ZodSchema>>,
  value: object,
  direction: Direction,
): Record<string, unknown> {
  const spellings = spellingsOf(shape);
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => {
    const known = spellings.get(key);
    const schema = known && shape[known.declared];
    if (!known || !schema) return [key, inner];
    if (known.declared !== known.snakeCase && isGivenTwice(value, known)) {
      const [one, other] = Object.keys(value).filter((name) => spellings.get(name) === known);
      throw invalid(`'${one}' and '${other}' are the same parameter. Use only one of them.`);
    }
    return [direction.key(known.declared, known.snakeCase), respell(schema, inner, direction)];
  });
  // fromEntries treats a key named __proto__ as an ordinary key; assignment would not.
  return Object.fromEntries(entries);
}

/** A declared key in both spellings. */
interface KeyPair {
  declared: string;
  snakeCase: string;
}

const isGivenTwice = (value: object, { declared, snakeCase }: KeyPair): boolean =>
  Object.hasOwn(value, declared) && Object.hasOwn(value, snakeCase);

/** The keys of a schema by each spelling, cached because each result of a search needs them. */
function spellingsOf(shape: object): ReadonlyMap<string, KeyPair> {
  const cached = spellingsByShape.get(shape);
  if (cached) return cached;
  const pairs = Object.keys(shape).map((key) => ({ declared: key, snakeCase: toSnakeCase(key) }));
  const spellings = new Map(pairs.map((pair) => [pair.snakeCase, pair]));
  // A declared key takes precedence over another one whose snake case it is.
  for (const pair of pairs) spellings.set(pair.declared, pair);
  spellingsByShape.set(shape, spellings);
  return spellings;
}

const spellingsByShape = new WeakMap<object, ReadonlyMap<string, KeyPair>>();
