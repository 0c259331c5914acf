import type { Block } from "./blocks.ts";
import { type Reading, readBody } from "./body.ts";
import { isPipe, keyed, mapKeyed, readListItem, readMapValue } from "./bullets.ts";
import { addWholeComment } from "./comments.ts";
import { type Draft, setField, tell } from "./draft.ts";
import type { FieldType, Heading } from "./headings.ts";
import { readJson } from "./json.ts";
import { collectReferences } from "./references.ts";
import { slice } from "./source.ts";
import { type Row, rowsOf } from "./tables.ts";
import { titleOf } from "./titles.ts";
import type { Fields, Value } from "./value.ts";
import { readYaml } from "./yaml.ts";

/** Where a field in a heading stands. */
export interface Place {
  heading: Heading;
  column: number;
}

/** The syntax that a heading of each type begins. */
export const syntaxOf: Record<FieldType, string> = {
  text: "multiline_text",
  array: "markdown_list",
  yaml: "yaml_object",
  json: "json_object",
  map: "map",
  object_array: "headers",
};

/** `## Notes [[notes: text]]`: word for word what stands below, up to the line given. */
export function readTextField(
  { source }: Reading,
  draft: Draft,
  key: string,
  { heading: { line, label }, column }: Place,
  to: number,
): void {
  const how = { type: "string", syntax: syntaxOf.text, label, line, column };
  setField(draft, key, slice(source.raw, line + 1, to), how);
  collectReferences(source, line + 1, to, draft.references);
}

/**
 * `## Tags [[tags: array]]` and a list of bullets. What comes behind the list belongs to the object
 * again; a numbered list is no array.
 */
export function readListField(
  reading: Reading,
  draft: Draft,
  key: string,
  { heading: { line, bodyEnd, label }, column }: Place,
): void {
  const { source, complaints } = reading;
  const items: Value[] = [];
  // The title is told only where the key does not give it back.
  const title = label === titleOf(key) ? "" : label;
  setField(draft, key, items, { syntax: syntaxOf.array, label: title, line, column });
  let isOpen = true;
  readBody(reading, draft, line + 1, bodyEnd, (block) => {
    if (!isOpen) return false;
    if (block.type === "bullets") {
      for (const item of block.items) items.push(readListItem(source, item));
    } else if (block.type === "numbered" && items.length === 0) {
      isOpen = false;
      complaints.ofObject("ordered_list_in_array", draft.id, block.start, { field: key });
      addWholeComment(draft, slice(source.lines, block.start, block.end));
    } else {
      // What is indented would be part of an item, once it is written behind the list.
      isOpen = items.length === 0 && !/^\s/.test(source.lines[block.start] ?? "");
      return false;
    }
    collectReferences(source, block.start, block.end, draft.references);
    return true;
  });
}

/**
 * `## Settings [[settings: yaml]]` and a fence, before any fields of the object. What cannot be read
 * is kept as a text.
 */
export function readFenceField(
  reading: Reading,
  draft: Draft,
  key: string,
  type: "yaml" | "json",
  { heading: { line, bodyEnd, label }, column }: Place,
): void {
  setField(draft, key, null, { syntax: syntaxOf[type], label, line, column });
  let isOpen = true;
  readBody(reading, draft, line + 1, bodyEnd, (block) => {
    if (block.type === "bullets") isOpen = false;
    if (!isOpen || block.type !== "fence") return false;
    isOpen = false;
    const { start, end, isClosed } = block.fence;
    const text = reading.source.raw.slice(start + 1, isClosed ? end - 1 : end).join("\n");
    draft.fields.set(key, type === "yaml" ? readYaml(text) : jsonOrText(text));
    return true;
  });
}

export function jsonOrText(text: string): Value {
  try {
    return readJson(text);
  } catch {
    return text;
  }
}

/** `## Location [[location: map]]` and a list of keys with texts; nothing else may stand there. */
export function readMapField(
  { source, complaints }: Reading,
  draft: Draft,
  key: string,
  { heading: { line, label }, column }: Place,
  blocks: readonly Block[],
): void {
  const map: Fields = new Map();
  setField(draft, key, map, { type: "map", syntax: syntaxOf.map, label, line, column });
  for (const block of blocks) {
    if (block.type !== "bullets") {
      complaints.ofObject("invalid_map_content", draft.id, block.start, { field: key });
      continue;
    }
    for (const item of block.items) {
      const entry = mapKeyed(item);
      const value = entry && readMapValue(source, entry);
      if (!entry || value === undefined || map.has(entry.key)) {
        complaints.ofObject("invalid_map_entry", draft.id, item.start, { field: key });
        continue;
      }
      map.set(entry.key, value);
      const end = isPipe(entry) ? item.start + 1 : item.end;
      collectReferences(source, item.start, end, draft.references);
    }
  }
}

/**
 * `## Members [[members: [User]]]`: the objects in the headings below it, or the rows of a table.
 * Gives the rows, of which the caller makes objects.
 */
export function readObjectArray(
  reading: Reading,
  draft: Draft,
  key: string,
  { heading: { line, bodyEnd, label }, column }: Place,
): { items: Value[]; rows: Row[] } {
  const items: Value[] = [];
  let rows: Row[] = [];
  let isOpen = true;
  setField(draft, key, items, { syntax: syntaxOf.object_array, label, line, column });
  readBody(reading, draft, line + 1, bodyEnd, (block) => {
    if (block.type === "bullets") isOpen = false;
    if (!isOpen || block.type !== "table") return false;
    isOpen = false;
    rows = rowsOf(reading.source.lines, block);
    tell(draft, "syntax", key, "table");
    return true;
  });
  return { items, rows };
}

/** Whether an array of objects is a plain list, as of references to objects that stand elsewhere. */
export const isPlainList = (blocks: readonly Block[]): boolean =>
  blocks[0]?.type === "bullets" && !blocks[0].items.some(keyed);
