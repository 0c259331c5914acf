import { isTyped } from "./object-tree.ts";
import { isFieldKey } from "./record-keys.ts";
import { type Fields, isFields, numberOf, textOf } from "./value.ts";

/** Reading a record that may have been written by anybody: what is not as it should be is missing. */

export const mapIn = (record: Fields, key: string): Fields => {
  const value = record.get(key);
  return isFields(value) ? value : new Map();
};

/** The kind, unless it is that of every object. */
export const kindIn = (record: Fields): string | undefined => {
  const kind = textOf(record.get("__kind"));
  return kind === "__Object" || kind === "" ? undefined : kind;
};

const highestLevel = 10_000;

export function levelIn(record: Fields): number | undefined {
  const level = numberOf(record.get("__level"));
  return level !== undefined && level >= 1 ? Math.min(Math.floor(level), highestLevel) : undefined;
}

/** The comments behind each field. */
export function commentsIn(record: Fields): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const comments = record.get("__comments");
  for (const comment of Array.isArray(comments) ? comments : []) {
    if (!isFields(comment)) continue;
    const after = textOf(comment.get("after")) ?? "__self";
    const text = textOf(comment.get("content")) ?? "";
    const texts = found.get(after) ?? [];
    if (text !== "") texts.push(text);
    found.set(after, texts);
  }
  return found;
}

/**
 * All keys but the format's own. Where headings gave the object its parent, a field `__parent` has
 * no place of its own in the record: it stands where its type stands among the types.
 */
export function fieldKeys(record: Fields): string[] {
  const isNested = record.has("__parent_field");
  const keys = [...record.keys()].filter(
    (key) => isFieldKey(key) || (key === "__parent" && !isNested),
  );
  if (!isNested || !isTyped(record, "__parent")) return keys;
  const typed = [...mapIn(record, "__types").keys()];
  const before = typed[typed.indexOf("__parent") - 1];
  return keys.toSpliced(before === undefined ? 0 : keys.indexOf(before) + 1, 0, "__parent");
}
