import * as z from "zod";
import { invalid } from "../../kernel/failure.ts";
import { definitionOf, isVerbatim, type Schema } from "./schema-shape.ts";

/** `minScore` → `min_score`. */
const snake = (key: string): string =>
  key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * How one shelf's keys are spelled on this surface. Only keys that a schema declares are ever
 * respelled; keys that are data, such as those of a record, pass as they are.
 */
export interface Spelling {
  /** A declared key as this surface writes it. */
  key(declared: string): string;
  /** A value on its way out, with its declared keys respelled. */
  write(schema: Schema, value: unknown): unknown;
  /** A value on its way in, with either spelling brought back to the declared one. */
  read(schema: Schema, value: unknown): unknown;
}

export const asDeclared: Spelling = {
  key: (declared) => declared,
  write: (_schema, value) => value,
  read: (_schema, value) => value,
};

/** The search shelf's founding document spells MCP in camelCase and REST in snake_case. */
export const snakeCase: Spelling = {
  key: snake,
  write: (schema, value) => respell(schema, value, outward),
  read: (schema, value) => respell(schema, value, inward),
};

interface Direction {
  key(declared: string): string;
  /** The side of a transformation that the value is on. */
  side: "in" | "out";
  /** Whether a union's option describes the value, given also how it would be respelled by it. */
  suits(option: Schema, value: unknown, respelled: unknown): boolean;
}

const outward: Direction = {
  key: snake,
  side: "out",
  suits: (option, value) => z.safeParse(option, value).success,
};

const inward: Direction = {
  key: (declared) => declared,
  side: "in",
  suits: (option, _value, respelled) => z.safeParse(option, respelled).success,
};

function respell(schema: Schema, value: unknown, direction: Direction): unknown {
  if (typeof value !== "object" || value === null || isVerbatim(schema)) return value;
  const definition = definitionOf(schema);
  switch (definition.type) {
    case "object":
      return Array.isArray(value) ? value : respellKeys(definition.shape, value, direction);
    case "array":
      return eachItem(value, (item) => respell(definition.element, item, direction));
    case "tuple":
      return eachItem(value, (item, index) => {
        const place = definition.items[index] ?? definition.rest;
        return place ? respell(place, item, direction) : item;
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
        if (direction.suits(option, value, respelled)) return respelled;
      }
      return value;
    }
    case "intersection":
      return respell(definition.right, respell(definition.left, value, direction), direction);
    case "optional":
    case "nullable":
    case "default":
    case "prefault":
    case "catch":
    case "readonly":
    case "nonoptional":
      return respell(definition.innerType, value, direction);
    case "pipe":
      return respell(definition[direction.side], value, direction);
    case "lazy":
      return respell(definition.getter(), value, direction);
    default:
      return value;
  }
}

const eachItem = (value: object, change: (item: unknown, index: number) => unknown): unknown =>
  Array.isArray(value) ? value.map(change) : value;

function respellKeys(
  shape: Readonly<Record<string, Schema>>,
  value: object,
  direction: Direction,
): Record<string, unknown> {
  const declaredFor = new Map(Object.keys(shape).map((key) => [snake(key), key]));
  const seen = new Map<string, string>();
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => {
    const declared = Object.hasOwn(shape, key) ? key : declaredFor.get(key);
    const schema = declared === undefined ? undefined : shape[declared];
    if (declared === undefined || schema === undefined) return [key, inner];
    const twin = seen.get(declared);
    if (twin) throw invalid(`'${twin}' and '${key}' are one parameter. Give it once.`);
    seen.set(declared, key);
    return [direction.key(declared), respell(schema, inner, direction)];
  });
  // Built from entries and not by assignment, so that a key named __proto__ is only a key.
  return Object.fromEntries(entries);
}
