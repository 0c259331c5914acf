import { elementAt } from "../../arrays/element-at.ts";
import { createIdGenerator, toSlug } from "../ids.ts";
import { readObjectHeadings } from "../parsing/object-headings.ts";
import { scanSource, trimEndChars, trimmedSlice } from "../parsing/source.ts";
import { commentsByField, fieldKeys, mapField, recordKind, recordLevel } from "../record.ts";
import { titleFromKey } from "../titles.ts";
import { type Fields, isFields, textValue, type Value } from "../values/value.ts";
import { assignLevels, type BodyItem, type HeadingItem, inReadableOrder } from "./body-layout.ts";
import { formatBullet, formatFence, formatList, formatMap } from "./field-text.ts";
import { danglingFieldKeyword, formatHeading, sanitiseId } from "./heading-text.ts";
import { buildObjectTree, isTyped, recordId, recordLocalId } from "./object-tree.ts";
import { formatTable } from "./table-text.ts";

/** Deeper nested objects are written at the top level. */
const maxDepth = 200;

/** The syntaxes of bullet fields. */
const bulletSyntaxes: ReadonlySet<string> = new Set([
  "yaml_array",
  "yaml_multiline",
  "yaml_multiline_array",
  "comma_refs",
]);

/** A part of the file. The second form is used if other parts follow. */
type OutputPart = string | { last: string; between: string };

/**
 * Writes the file that `parseObjects` parses to these objects. Every value is preserved, in the
 * stored syntax if it can represent the value, otherwise in one that can.
 */
export function writeObjects(objects: readonly Value[]): string {
  const tree = buildObjectTree(objects);
  const ids = createIdGenerator();
  const parts: OutputPart[] = [];
  for (const record of tree.roots) writeRoot(record);
  for (let record = tree.claimNext(); record; record = tree.claimNext()) writeRoot(record);
  const texts = parts.map((piece, index) => {
    if (typeof piece === "string") return piece;
    return index === parts.length - 1 ? piece.last : piece.between;
  });
  const text = `${trimEndChars(texts.join("\n\n"), "\n")}\n`;
  // A second byte order mark would be part of the text.
  return text.startsWith("\uFEFF") ? `\uFEFF${text}` : text;

  function writeRoot(record: Fields): void {
    if (record.get("__kind") === "__TextBlock") writeText(textValue(record.get("content")) ?? "");
    else writeObject(record, recordLevel(record) ?? 2, recordId(record), recordKind(record), 0);
  }

  function writeText(content: string): void {
    const [heading] = readObjectHeadings(scanSource(elementAt(content.split("\n", 1), 0)));
    if (heading && toSlug(heading.label) === "") ids.next();
    if (content !== "") parts.push(content);
  }

  /** `kind` is the kind that the heading must state, if any. */
  function writeObject(
    record: Fields,
    level: number,
    id: string,
    kind: string | undefined,
    depth: number,
  ): void {
    const items = inReadableOrder(itemsOf(record, level, depth));
    assignLevels(items);
    const label = textValue(record.get("__label")) ?? "";
    const isDerivedId = toSlug(label) === id || (toSlug(label) === "" && isGeneratedId(id));
    const hasDerivedId = record.get("__has_explicit_id") === false && isDerivedId && !kind;
    if (hasDerivedId && isRecognizable(items, level)) {
      if (toSlug(label) === "") ids.next();
      parts.push(formatHeading(level, label, ""));
    } else {
      const type = kind ?? danglingFieldKeyword(record, id);
      parts.push(formatHeading(level, label, definition(id, type, label)));
    }
    writeItems(items);
  }

  function writeItems(items: readonly BodyItem[]): void {
    let bullets: string[] = [];
    let above: HeadingItem | undefined;
    const endList = () => {
      if (bullets.length > 0) parts.push(bullets.join("\n"));
      bullets = [];
    };
    for (const item of items) {
      if (item.type === "bullet") {
        bullets.push(item.text);
        continue;
      }
      endList();
      if (item.type === "heading") {
        above?.writeBelow?.(above.level);
        above = item;
        item.write(item.level);
      } else parts.push(item.text);
    }
    endList();
    above?.writeBelow?.(above.level);
  }

  /** Whether the parser would generate this id for the next heading without one. */
  function isGeneratedId(id: string): boolean {
    return id === "" || id === `object_${ids.peek()}`;
  }

  /** `[[id: type]]`; the id is omitted if the parser would derive the same one. */
  function definition(id: string, type: string | undefined, label: string): string {
    const named = type === undefined ? `[[${sanitiseId(id)}]]` : `[[${sanitiseId(id)}: ${type}]]`;
    if (!isGeneratedId(id)) return named;
    // With a type, the id would be derived from the label; text and list need no type.
    const isKnown = type === undefined || type === "text" || type === "array";
    if (toSlug(label) !== "" && !isKnown) return named;
    ids.next();
    return type === undefined || toSlug(label) !== "" ? "[[]]" : `[[: ${type}]]`;
  }

  function itemsOf(record: Fields, level: number, depth: number): BodyItem[] {
    const comments = commentsByField(record);
    const items: BodyItem[] = [];
    const addComments = (after: string) => {
      for (const text of comments.get(after) ?? []) items.push(commentItem(text));
      comments.delete(after);
    };
    addComments("__self");
    for (const key of fieldKeys(record)) {
      items.push(...fieldItems(record, key, record.get(key) ?? null, level, depth));
      addComments(key);
    }
    for (const after of [...comments.keys()]) addComments(after);
    for (const child of depth < maxDepth ? tree.claimUnreferenced(record) : []) {
      const item = childItem(child, level, depth);
      // Below a comment with a smaller heading level, the object would be part of the comment.
      const at = items.findIndex(
        (other) => other.type === "heading" && other.isComment && other.level < item.level,
      );
      items.splice(at < 0 ? items.length : at, 0, item);
    }
    return items;
  }

  function fieldItems(
    record: Fields,
    key: string,
    value: Value,
    level: number,
    depth: number,
  ): BodyItem[] {
    const syntax = textValue(mapField(record, "__syntax").get(key));
    const label = textValue(mapField(record, "__labels").get(key)) ?? "";
    const isBullet = !syntax || bulletSyntaxes.has(syntax);
    const isArray = syntax === "headers" || syntax === "table";
    if (!isTyped(record, key) && depth < maxDepth) {
      const child = isBullet ? tree.claim(record, key, value) : undefined;
      if (child) {
        const unreferenced = tree.claimUnreferenced(record, child);
        return [...unreferenced, child].map((one) => childItem(one, level, depth));
      }
      const isList = Array.isArray(value) && (isArray || (!syntax && value.length > 0));
      const elements = isList ? tree.claimAll(record, key, value) : undefined;
      if (elements) return [arrayItem(key, label, syntax, elements, level + 1, depth)];
    }
    // A text of several lines with a title was written below that title.
    const isTitled = label !== "" && !syntax && typeof value === "string" && value.includes("\n");
    if ((isBullet || isArray) && !isTitled) {
      const preferred = isBullet ? formatBullet(key, value, syntax) : undefined;
      const text = preferred ?? formatBullet(key, value, undefined);
      if (text !== undefined) return [{ type: "bullet", text }];
    }
    return [headingField(key, value, syntax, label, level + 1)];
  }

  /**
   * A heading field: in its syntax if that can represent the value, and in JSON as a last resort.
   */
  function headingField(
    key: string,
    value: Value,
    syntax: string | undefined,
    label: string,
    level: number,
  ): HeadingItem {
    const plain = { type: "heading", level, contains: undefined, isComment: false } as const;
    const write = (type: string, text: string) => (at: number) => {
      const title = type === "array" && !isGeneratedId(key) ? label || titleFromKey(key) : label;
      parts.push(formatHeading(at, title, definition(key, type, title)));
      if (text !== "") parts.push(text);
    };
    const isFence = syntax === "yaml_object" || syntax === "json_object";
    if (typeof value === "string" && !isFence) {
      return {
        ...plain,
        consumes: "all",
        contains: "text",
        write: (at) => writeTextField(key, label, value, at),
      };
    }
    const list = Array.isArray(value) && !isFence ? formatList(value) : undefined;
    if (list !== undefined) return { ...plain, consumes: "bullets", write: write("array", list) };
    const map = isFields(value) && syntax === "map" ? formatMap(value) : undefined;
    if (map !== undefined) return { ...plain, consumes: "all", write: write("map", map) };
    const type = syntax === "yaml_object" ? "yaml" : "json";
    return { ...plain, consumes: "none", write: write(type, formatFence(value, type)) };
  }

  /** Verbatim, unless a heading in the text would end it or a code fence is unclosed. */
  function writeTextField(key: string, label: string, text: string, level: number): void {
    const source = scanSource(text);
    const isPreserved = trimmedSlice(source.raw, 0, source.raw.length) === text;
    const isBelow = readObjectHeadings(source).every((heading) => heading.level > level);
    const open = source.fences.at(-1);
    const heading = formatHeading(level, label, definition(key, "text", label));
    const asText = text === "" ? heading : `${heading}\n\n${text}`;
    const asJson = `${heading.replace(/text\]\]$/, "json]]")}\n\n${formatFence(text, "json")}`;
    if (!isPreserved || !isBelow) parts.push(asJson);
    else if (!open || open.isClosed) parts.push(asText);
    else parts.push({ last: asText, between: asJson });
  }

  function childItem(child: Fields, parentLevel: number, depth: number): HeadingItem {
    const level = Math.max(recordLevel(child) ?? 0, parentLevel + 1);
    const local =
      textValue(child.get("__local_id")) ??
      textValue(child.get("__parent_field")) ??
      recordId(child);
    return {
      type: "heading",
      level,
      consumes: "all",
      contains: undefined,
      isComment: false,
      write: (at) => writeObject(child, at, local, recordKind(child), depth + 1),
    };
  }

  function arrayItem(
    key: string,
    label: string,
    syntax: string | undefined,
    elements: readonly Fields[],
    level: number,
    depth: number,
  ): HeadingItem {
    const kinds = elements.map((element) => recordKind(element));
    const kind = kinds.includes(undefined) ? undefined : kinds[0];
    // Objects in headings may follow the rows of a table.
    const rows = elements.findIndex((one, at) => recordLocalId(one) !== `${key}_${at}`);
    const inTable = syntax === "table" ? elements.slice(0, rows < 0 ? undefined : rows) : [];
    const table = syntax === "table" ? formatTable(key, inTable) : undefined;
    const inHeadings = table === undefined ? elements : elements.slice(inTable.length);
    const item = { type: "heading", level, contains: "objects", isComment: false } as const;
    const write = (at: number) => {
      parts.push(formatHeading(at, label, definition(key, `[${kind ?? "__Object"}]`, label)));
      if (table !== undefined) parts.push(table);
    };
    return {
      ...item,
      // An array with a syntax was parsed, so the lines after its heading may stay there.
      consumes: syntax === undefined ? "all" : "none",
      write,
      writeBelow(at) {
        for (const element of inHeadings) {
          const local = recordLocalId(element);
          const own = recordKind(element);
          writeObject(element, at + 1, local, own === kind ? undefined : own, depth + 1);
        }
      },
    };
  }

  function commentItem(text: string): BodyItem {
    const [heading] = text.startsWith("#")
      ? readObjectHeadings(scanSource(elementAt(text.split("\n", 1), 0)))
      : [];
    if (!heading) return { type: "comment", text };
    return {
      type: "heading",
      level: heading.level,
      consumes: "all",
      contains: undefined,
      isComment: true,
      hasFields: /^ {0,3}[-*+][ \t]+[A-Za-z_]\w*[ \t]*:/m.test(text),
      write: () => parts.push(text),
    };
  }
}

/** Whether the parser recognizes an object in a heading without a definition. */
const isRecognizable = (items: readonly BodyItem[], level: number): boolean =>
  items.some(
    (item) => item.type === "bullet" || (level > 1 && item.type === "heading" && !item.isComment),
  );
