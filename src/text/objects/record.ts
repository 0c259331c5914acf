import { isFieldKey } from "./record-keys.ts";
import { type Fields, isFields, numberValue, textValue } from "./values/value.ts";
import { isTyped } from "./writing/object-tree.ts";

/** Accessors for untrusted records: a value of the wrong type counts as missing. */

export const mapField = (record: Fields, key: string): Fields => {
  const value = record.get(key);
  return isFields(value) ? value : new Map();
};

/** The kind, unless it is the default. */
export const recordKind = (record: Fields): string | undefined => {
  const kind = textValue(record.get("__kind"));
  return kind === "__Object" || kind === "" ? undefined : kind;
};

const maxLevel = 10_000;

export function recordLevel(record: Fields): number | undefined {
  const level = numberValue(record.get("__level"));
  return level !== undefined && level >= 1 ? Math.min(Math.floor(level), maxLevel) : undefined;
}

/** The comments after each field. */
export function commentsByField(record: Fields): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const comments = record.get("__comments");
  for (const comment of Array.isArray(comments) ? comments : []) {
    if (!isFields(comment)) continue;
    const after = textValue(comment.get("after")) ?? "__self";
    const text = textValue(comment.get("content")) ?? "";
    const texts = found.get(after) ?? [];
    if (text !== "") texts.push(text);
    found.set(after, texts);
  }
  return found;
}

/**
 * All keys except reserved ones. If headings set the parent, a field `__parent` has no position in
 * the record; its position among the types is used.
 */
export function fieldKeys(record: Fields): string[] {
  const isNested = record.has("__parent_field");
  const keys = [...record.keys()].filter(
    (key) => isFieldKey(key) || (key === "__parent" && !isNested),
  );
  if (!isNested || !isTyped(record, "__parent")) return keys;
  const typed = [...mapField(record, "__types").keys()];
  const before = typed[typed.indexOf("__parent") - 1];
  return keys.toSpliced(before === undefined ? 0 : keys.indexOf(before) + 1, 0, "__parent");
}
