import { parseFile } from "./file.ts";
import type { Fields } from "./value.ts";

/** The record of an object: its fields, and around them what the format says of it. */
export type ParsedObject = Fields;

/** The full records of everything in a file, and of what is wrong with it. */
export const parseObjects = (text: string): ParsedObject[] => parseFile(text).objects;

/** How much is told of an object. */
export type Format = "minimal" | "standard" | "full";

const onlyFull: ReadonlySet<string> = new Set([
  "__line",
  "__references",
  "__positions",
  "__code_fences",
]);
/** What can be found out again from the rest. */
const notMinimal: ReadonlySet<string> = new Set([
  ...onlyFull,
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

/** Without the keys that a format leaves out, and without comments or syntax on request. */
export function inFormat(
  objects: readonly ParsedObject[],
  format: Format,
  { comments = true, syntax = true } = {},
): ParsedObject[] {
  return objects.map((object) => {
    const kept: ParsedObject = new Map();
    for (const [key, value] of object) {
      if ((key === "__comments" && !comments) || (key === "__syntax" && !syntax)) continue;
      if (!isLeftOut(object, key, format)) kept.set(key, value);
    }
    return kept;
  });
}

function isLeftOut(object: ParsedObject, key: string, format: Format): boolean {
  if (format === "full") return false;
  if (format === "standard") return onlyFull.has(key);
  if (key === "__id") return object.get("__has_explicit_id") === false;
  if (key === "__kind") return object.get("__kind") === "__Object";
  return notMinimal.has(key);
}
