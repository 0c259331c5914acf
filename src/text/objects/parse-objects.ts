import { parseFile } from "./parsing/parse-file.ts";
import type { Fields } from "./values/value.ts";

/** The record of an object: its fields, and metadata under reserved keys. */
export type ParsedObject = Fields;

/** The full records of all objects in a file, followed by its errors. */
export const parseObjects = (text: string): ParsedObject[] => parseFile(text).objects;

/** The amount of detail in a record. */
export type DetailLevel = "minimal" | "standard" | "full";

const fullOnlyKeys: ReadonlySet<string> = new Set([
  "__line",
  "__references",
  "__positions",
  "__code_fences",
]);
/** Keys that can be derived from the others. */
const nonMinimalKeys: ReadonlySet<string> = new Set([
  ...fullOnlyKeys,
  "__label",
  "__container",
  "__parent",
  "__parent_field",
  "__comments",
  "__types",
  "__syntax",
  "__level",
  "__has_explicit_id",
]);

/** Omits the keys that a level of detail leaves out, and comments or syntax on request. */
export function withDetail(
  objects: readonly ParsedObject[],
  format: DetailLevel,
  { comments = true, syntax = true } = {},
): ParsedObject[] {
  return objects.map((object) => {
    const detailed: ParsedObject = new Map();
    for (const [key, value] of object) {
      if ((key === "__comments" && !comments) || (key === "__syntax" && !syntax)) continue;
      if (!isLeftOut(object, key, format)) detailed.set(key, value);
    }
    return detailed;
  });
}

function isLeftOut(object: ParsedObject, key: string, format: DetailLevel): boolean {
  if (format === "full") return false;
  if (format === "standard") return fullOnlyKeys.has(key);
  if (key === "__id") return object.get("__has_explicit_id") === false;
  if (key === "__kind") return object.get("__kind") === "__Object";
  return nonMinimalKeys.has(key);
}
