import { bulletFor, fenceFor, listFor, mapFor } from "./field-text.ts";
import { headingLine, keywordOfDangling, nameIn } from "./heading-text.ts";
import { headingsOf } from "./headings.ts";
import { generator, slug } from "./ids.ts";
import { idIn, isTyped, localIdIn, objectTree } from "./object-tree.ts";
import { type BodyItem, type HeadingItem, inReadableOrder, settle } from "./rebuild-body.ts";
import { commentsIn, fieldKeys, kindIn, levelIn, mapIn } from "./record.ts";
import { readSource, slice, withoutTrailing } from "./source.ts";
import { tableFor } from "./table-text.ts";
import { titleOf } from "./titles.ts";
import { type Fields, isFields, textOf, type Value } from "./value.ts";

/** Deeper nesting comes out as objects at the top; nobody writes it. */
const deepest = 200;

/** The syntaxes of what stands in a bullet. */
const bulletSyntaxes: ReadonlySet<string> = new Set([
  "yaml_array",
  "yaml_multiline",
  "yaml_multiline_array",
  "comma_refs",
]);

/** A piece of the file. The second form is for a place where others follow it. */
type Piece = string | { last: string; between: string };

/**
 * Writes the file that these objects are read from: the other way round than `parseObjects`. Of
 * objects that people or programs wrote every value is kept, in the syntax that the object names if
 * it can hold the value, and otherwise in one that can.
 */
export function rebuildObjects(objects: readonly Value[]): string {
  const tree = objectTree(objects);
  const ids = generator();
  const pieces: Piece[] = [];
  for (const record of tree.roots) writeRoot(record);
  for (let record = tree.claimRest(); record; record = tree.claimRest()) writeRoot(record);
  const texts = pieces.map((piece, index) => {
    if (typeof piece === "string") return piece;
    return index === pieces.length - 1 ? piece.last : piece.between;
  });
  const text = `${withoutTrailing(texts.join("\n\n"), "\n")}\n`;
  // The first of two marks of the byte order is not part of the text.
  return text.startsWith("\uFEFF") ? `\uFEFF${text}` : text;

  function writeRoot(record: Fields): void {
    if (record.get("__kind") === "__TextBlock") writeText(textOf(record.get("content")) ?? "");
    else writeObject(record, levelIn(record) ?? 2, idIn(record), kindIn(record), 0);
  }

  function writeText(content: string): void {
    const [heading] = headingsOf(readSource(content.split("\n", 1)[0] ?? ""));
    if (heading && slug(heading.label) === "") ids.next();
    if (content !== "") pieces.push(content);
  }

  /** The kind is what the heading must say, and nothing where it need not. */
  function writeObject(
    record: Fields,
    level: number,
    id: string,
    kind: string | undefined,
    depth: number,
  ): void {
    const items = inReadableOrder(itemsOf(record, level, depth));
    settle(items);
    const label = textOf(record.get("__label")) ?? "";
    const isFound = slug(label) === id || (slug(label) === "" && isMadeUp(id));
    const isAuto = record.get("__has_explicit_id") === false && isFound && !kind;
    if (isAuto && showsFields(items, level)) {
      if (slug(label) === "") ids.next();
      pieces.push(headingLine(level, label, ""));
    } else {
      const type = kind ?? keywordOfDangling(record, id);
      pieces.push(headingLine(level, label, definition(id, type, label)));
    }
    writeItems(items);
  }

  function writeItems(items: readonly BodyItem[]): void {
    let bullets: string[] = [];
    let above: HeadingItem | undefined;
    const endList = () => {
      if (bullets.length > 0) pieces.push(bullets.join("\n"));
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
      } else pieces.push(item.text);
    }
    endList();
    above?.writeBelow?.(above.level);
  }

  /** Whether the parser makes up this id for the next heading that has none. */
  function isMadeUp(id: string): boolean {
    return id === "" || id === `object_${ids.peek()}`;
  }

  /** `[[id: type]]`; without the id where the parser would make up the same one. */
  function definition(id: string, type: string | undefined, label: string): string {
    const named = type === undefined ? `[[${nameIn(id)}]]` : `[[${nameIn(id)}: ${type}]]`;
    if (!isMadeUp(id)) return named;
    // With a type the id would be made of the label; a text and a list are known without.
    const isKnown = type === undefined || type === "text" || type === "array";
    if (slug(label) !== "" && !isKnown) return named;
    ids.next();
    return type === undefined || slug(label) !== "" ? "[[]]" : `[[: ${type}]]`;
  }

  function itemsOf(record: Fields, level: number, depth: number): BodyItem[] {
    const comments = commentsIn(record);
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
    for (const child of depth < deepest ? tree.claimStrays(record) : []) {
      const item = childItem(child, level, depth);
      // Below a comment with fewer marks the object would be part of it.
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
    const syntax = textOf(mapIn(record, "__syntax").get(key));
    const label = textOf(mapIn(record, "__labels").get(key)) ?? "";
    const isBullet = !syntax || bulletSyntaxes.has(syntax);
    const isArray = syntax === "headers" || syntax === "table";
    if (!isTyped(record, key) && depth < deepest) {
      const child = isBullet ? tree.claim(record, key, value) : undefined;
      if (child) {
        const strays = tree.claimStrays(record, child);
        return [...strays, child].map((one) => childItem(one, level, depth));
      }
      const isList = Array.isArray(value) && (isArray || (!syntax && value.length > 0));
      const elements = isList ? tree.claimAll(record, key, value) : undefined;
      if (elements) return [arrayItem(key, label, syntax, elements, level + 1, depth)];
    }
    // A text of several lines that has a title stood below it.
    const isTitled = label !== "" && !syntax && typeof value === "string" && value.includes("\n");
    if ((isBullet || isArray) && !isTitled) {
      const asked = isBullet ? bulletFor(key, value, syntax) : undefined;
      const text = asked ?? bulletFor(key, value, undefined);
      if (text !== undefined) return [{ type: "bullet", text }];
    }
    return [headingField(key, value, syntax, label, level + 1)];
  }

  /** A field in a heading: in its syntax if that holds the value, and in JSON if nothing else does. */
  function headingField(
    key: string,
    value: Value,
    syntax: string | undefined,
    label: string,
    level: number,
  ): HeadingItem {
    const plain = { type: "heading", level, holds: undefined, isComment: false } as const;
    const write = (type: string, text: string) => (at: number) => {
      const title = type === "array" && !isMadeUp(key) ? label || titleOf(key) : label;
      pieces.push(headingLine(at, title, definition(key, type, title)));
      if (text !== "") pieces.push(text);
    };
    const isFence = syntax === "yaml_object" || syntax === "json_object";
    if (typeof value === "string" && !isFence) {
      return {
        ...plain,
        takes: "all",
        holds: "text",
        write: (at) => writeTextField(key, label, value, at),
      };
    }
    const list = Array.isArray(value) && !isFence ? listFor(value) : undefined;
    if (list !== undefined) return { ...plain, takes: "bullets", write: write("array", list) };
    const map = isFields(value) && syntax === "map" ? mapFor(value) : undefined;
    if (map !== undefined) return { ...plain, takes: "all", write: write("map", map) };
    const type = syntax === "yaml_object" ? "yaml" : "json";
    return { ...plain, takes: "none", write: write(type, fenceFor(value, type)) };
  }

  /** Word for word, unless a heading in the text would end it, or a fence that is open goes on. */
  function writeTextField(key: string, label: string, text: string, level: number): void {
    const source = readSource(text);
    const isKept = slice(source.raw, 0, source.raw.length) === text;
    const isBelow = headingsOf(source).every((heading) => heading.level > level);
    const open = source.fences.at(-1);
    const heading = headingLine(level, label, definition(key, "text", label));
    const asText = text === "" ? heading : `${heading}\n\n${text}`;
    const asJson = `${heading.replace(/text\]\]$/, "json]]")}\n\n${fenceFor(text, "json")}`;
    if (!isKept || !isBelow) pieces.push(asJson);
    else if (!open || open.isClosed) pieces.push(asText);
    else pieces.push({ last: asText, between: asJson });
  }

  function childItem(child: Fields, parentLevel: number, depth: number): HeadingItem {
    const level = Math.max(levelIn(child) ?? 0, parentLevel + 1);
    const local =
      textOf(child.get("__local_id")) ?? textOf(child.get("__parent_field")) ?? idIn(child);
    return {
      type: "heading",
      level,
      takes: "all",
      holds: undefined,
      isComment: false,
      write: (at) => writeObject(child, at, local, kindIn(child), depth + 1),
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
    const kinds = elements.map((element) => kindIn(element));
    const kind = kinds.includes(undefined) ? undefined : kinds[0];
    // Objects in headings may stand behind the rows of a table.
    const rows = elements.findIndex((one, at) => localIdIn(one) !== `${key}_${at}`);
    const inTable = syntax === "table" ? elements.slice(0, rows < 0 ? undefined : rows) : [];
    const table = syntax === "table" ? tableFor(key, inTable) : undefined;
    const inHeadings = table === undefined ? elements : elements.slice(inTable.length);
    const item = { type: "heading", level, holds: "objects", isComment: false } as const;
    const write = (at: number) => {
      pieces.push(headingLine(at, label, definition(key, `[${kind ?? "__Object"}]`, label)));
      if (table !== undefined) pieces.push(table);
    };
    return {
      ...item,
      // In an array that was parsed lines behind its heading stood there.
      takes: syntax === undefined ? "all" : "none",
      write,
      writeBelow(at) {
        for (const element of inHeadings) {
          const local = localIdIn(element);
          const own = kindIn(element);
          writeObject(element, at + 1, local, own === kind ? undefined : own, depth + 1);
        }
      },
    };
  }

  function commentItem(text: string): BodyItem {
    const [heading] = text.startsWith("#")
      ? headingsOf(readSource(text.split("\n", 1)[0] ?? ""))
      : [];
    if (!heading) return { type: "comment", text };
    return {
      type: "heading",
      level: heading.level,
      takes: "all",
      holds: undefined,
      isComment: true,
      hasFields: /^ {0,3}[-*+][ \t]+[A-Za-z_]\w*[ \t]*:/m.test(text),
      write: () => pieces.push(text),
    };
  }
}

/** Whether the parser sees an object in a heading that has no definition. */
const showsFields = (items: readonly BodyItem[], level: number): boolean =>
  items.some(
    (item) => item.type === "bullet" || (level > 1 && item.type === "heading" && !item.isComment),
  );
