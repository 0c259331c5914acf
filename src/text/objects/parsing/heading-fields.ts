import { elementAt } from "../../arrays/element-at.ts";
import { titleFromKey } from "../titles.ts";
import { parseJsonValue } from "../values/json.ts";
import type { Fields, Value } from "../values/value.ts";
import { parseYamlValue } from "../values/yaml.ts";
import type { Block } from "./blocks.ts";
import { type ParseContext, readBody } from "./body.ts";
import {
  isPipeText,
  parseKeyedBullet,
  parseListItem,
  parseMapBullet,
  parseMapValue,
} from "./bullets.ts";
import { addSeparateComment } from "./comments.ts";
import { type ObjectDraft, setField, setFieldMetadata } from "./object-draft.ts";
import type { FieldType, ObjectHeading } from "./object-headings.ts";
import { collectReferences } from "./references.ts";
import { trimmedSlice } from "./source.ts";
import { readTableRows, type TableRow } from "./tables.ts";

/** The position of a field in a heading. */
export interface HeadingPosition {
  heading: ObjectHeading;
  column: number;
}

/** The syntax for each type of heading field. */
export const fieldSyntaxes: Record<FieldType, string> = {
  text: "multiline_text",
  array: "markdown_list",
  yaml: "yaml_object",
  json: "json_object",
  map: "map",
  object_array: "headers",
};

/** `## Notes [[notes: text]]`: the text below, verbatim, up to the given line. */
export function readTextField(
  { source }: ParseContext,
  draft: ObjectDraft,
  key: string,
  { heading: { line, label }, column }: HeadingPosition,
  to: number,
): void {
  const how = { type: "string", syntax: fieldSyntaxes.text, label, line, column };
  setField(draft, key, trimmedSlice(source.raw, line + 1, to), how);
  collectReferences(source, line + 1, to, draft.references);
}

/**
 * `## Tags [[tags: array]]` with a bullet list. Blocks after the list belong to the object. A
 * numbered list is not an array.
 */
export function readListField(
  context: ParseContext,
  draft: ObjectDraft,
  key: string,
  { heading: { line, bodyEnd, label }, column }: HeadingPosition,
): void {
  const { source, errors } = context;
  const items: Value[] = [];
  // The title is stored only if it cannot be derived from the key.
  const title = label === titleFromKey(key) ? "" : label;
  setField(draft, key, items, { syntax: fieldSyntaxes.array, label: title, line, column });
  let isOpen = true;
  readBody(context, draft, line + 1, bodyEnd, (block) => {
    if (!isOpen) return false;
    if (block.type === "bullets") {
      for (const item of block.items) items.push(parseListItem(source, item));
    } else if (block.type === "numbered" && items.length === 0) {
      isOpen = false;
      errors.addForObject("ordered_list_in_array", draft.id, block.start, { field: key });
      addSeparateComment(draft, trimmedSlice(source.lines, block.start, block.end));
    } else {
      // Indented text would become part of an item when written after the list.
      isOpen = items.length === 0 && !/^\s/.test(elementAt(source.lines, block.start));
      return false;
    }
    collectReferences(source, block.start, block.end, draft.references);
    return true;
  });
}

/**
 * `## Settings [[settings: yaml]]` with a code fence before any fields of the object. Invalid
 * content is kept as text.
 */
export function readFenceField(
  context: ParseContext,
  draft: ObjectDraft,
  key: string,
  type: "yaml" | "json",
  { heading: { line, bodyEnd, label }, column }: HeadingPosition,
): void {
  setField(draft, key, null, { syntax: fieldSyntaxes[type], label, line, column });
  let isOpen = true;
  readBody(context, draft, line + 1, bodyEnd, (block) => {
    if (block.type === "bullets") isOpen = false;
    if (!isOpen || block.type !== "fence") return false;
    isOpen = false;
    const { start, end, isClosed } = block.fence;
    const text = context.source.raw.slice(start + 1, isClosed ? end - 1 : end).join("\n");
    draft.fields.set(key, type === "yaml" ? parseYamlValue(text) : parseJsonOrText(text));
    return true;
  });
}

export function parseJsonOrText(text: string): Value {
  try {
    return parseJsonValue(text);
  } catch {
    return text;
  }
}

/** `## Location [[location: map]]` with a list of keys and texts, and nothing else. */
export function readMapField(
  { source, errors }: ParseContext,
  draft: ObjectDraft,
  key: string,
  { heading: { line, label }, column }: HeadingPosition,
  blocks: readonly Block[],
): void {
  const map: Fields = new Map();
  setField(draft, key, map, { type: "map", syntax: fieldSyntaxes.map, label, line, column });
  for (const block of blocks) {
    if (block.type !== "bullets") {
      errors.addForObject("invalid_map_content", draft.id, block.start, { field: key });
      continue;
    }
    for (const item of block.items) {
      const entry = parseMapBullet(item);
      const value = entry && parseMapValue(source, entry);
      if (!entry || value === undefined || map.has(entry.key)) {
        errors.addForObject("invalid_map_entry", draft.id, item.start, { field: key });
        continue;
      }
      map.set(entry.key, value);
      const end = isPipeText(entry) ? item.start + 1 : item.end;
      collectReferences(source, item.start, end, draft.references);
    }
  }
}

/**
 * `## Members [[members: [User]]]`: the objects are the headings below, or the rows of a table.
 * Returns the rows, which the caller turns into objects.
 */
export function readObjectArray(
  context: ParseContext,
  draft: ObjectDraft,
  key: string,
  { heading: { line, bodyEnd, label }, column }: HeadingPosition,
): { items: Value[]; rows: TableRow[] } {
  const items: Value[] = [];
  let rows: TableRow[] = [];
  let isOpen = true;
  setField(draft, key, items, { syntax: fieldSyntaxes.object_array, label, line, column });
  readBody(context, draft, line + 1, bodyEnd, (block) => {
    if (block.type === "bullets") isOpen = false;
    if (!isOpen || block.type !== "table") return false;
    isOpen = false;
    rows = readTableRows(context.source.lines, block);
    setFieldMetadata(draft, "syntax", key, "table");
    return true;
  });
  return { items, rows };
}

/** Whether an array of objects is a plain list, for example of references. */
export const isPlainList = (blocks: readonly Block[]): boolean =>
  blocks[0]?.type === "bullets" && !blocks[0].items.some(parseKeyedBullet);
