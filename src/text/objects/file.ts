import { addWholeComment } from "./comments.ts";
import { complaints as newComplaints } from "./complaints.ts";
import { blocksBelow, detectedType, hasFields } from "./detection.ts";
import { type Draft, recordOf } from "./draft.ts";
import {
  isPlainList,
  readFenceField,
  readListField,
  readMapField,
  readObjectArray,
  readTextField,
  syntaxOf,
} from "./heading-fields.ts";
import { type Definition, type FieldType, type Heading, headingsOf } from "./headings.ts";
import { generator, referenceTo, slug } from "./ids.ts";
import {
  type ArrayFrame,
  addRow,
  addText,
  autoId,
  endOf,
  type FileReading,
  idOf,
  openElement,
  openNested,
  openObject,
} from "./opening.ts";
import type { ObjectPlace } from "./places.ts";
import { isFieldKey } from "./record-keys.ts";
import { collectReferences } from "./references.ts";
import { readSource, slice } from "./source.ts";
import { documentOf, type TextBlock, textRecord } from "./text-blocks.ts";
import type { Fields } from "./value.ts";

/** What a file holds, and where. */
export interface ParsedFile {
  /** The document and its blocks of text, then the objects, then the complaints. */
  objects: Fields[];
  /** One for each object and each block of text, in the order of the file. */
  places: ObjectPlace[];
}

/** Kinds that the format gives by itself and nobody may claim. */
const systemKinds: ReadonlySet<string> = new Set(["__Document", "__TextBlock", "__Object"]);

/** Reads a file of typed objects. Any text is one: what is wrong becomes complaints. */
export function parseFile(text: string): ParsedFile {
  const source = readSource(text.startsWith("\uFEFF") ? text.slice(1) : text);
  const headings = headingsOf(source);
  const file: FileReading = {
    source,
    headings,
    complaints: newComplaints(),
    ids: generator(),
    frames: [],
    drafts: [],
    texts: [],
    content: [],
    places: [],
  };
  addText(file, 0, headings[0]?.line ?? source.lines.length);
  for (let at = 0; at < headings.length; ) {
    const heading = headings[at];
    if (!heading) break;
    while ((file.frames.at(-1)?.level ?? 0) >= heading.level) file.frames.pop();
    const { definition } = heading;
    at = definition ? readDefined(file, heading, definition, at) : readUndefined(file, heading, at);
  }
  return finished(file);
}

// Each of the following gives the index of the heading to go on with.

/** A heading without `[[…]]`: an object if it has fields, and otherwise words. */
function readUndefined(file: FileReading, heading: Heading, at: number): number {
  const { source, ids } = file;
  const frame = file.frames.at(-1);
  if (frame) {
    const isElement = frame.type === "array" && hasFields(source, heading);
    if (isElement) openElement(file, frame, heading, undefined);
    else readCommentHeading(file, frame.draft, heading);
  } else if (hasFields(source, heading)) {
    openObject(file, heading, { id: autoId(file, heading.label), hasExplicitId: false });
  } else {
    // Every heading that could be an object has an id, even if it turns out to be none.
    if (slug(heading.label) === "") ids.next();
    addText(file, heading.line, heading.bodyEnd);
  }
  return at + 1;
}

function readDefined(
  file: FileReading,
  heading: Heading,
  definition: Definition,
  at: number,
): number {
  const { complaints } = file;
  const { line } = heading;
  const { type, kind, raw } = definition;
  const frame = file.frames.at(-1);
  const [surplus] = heading.surplus;
  if (surplus) complaints.ofDefinition("multiple_definitions", surplus.raw, line);
  if (type === "kind" && kind && systemKinds.has(kind)) {
    complaints.ofDefinition("explicit_system_type", raw, line, definition.id);
    return at + 1;
  }
  if (!frame) return readTop(file, heading, definition, at);
  if (frame.type === "comment" && type !== "kind") {
    complaints.ofDefinition("structured_in_textblock", raw, line, definition.id || undefined);
    return keepAsComment(file, frame.draft, heading);
  }
  const id = idOf(file, heading, definition);
  if (id.includes(".") && type !== "object_array") {
    complaints.ofDefinition("invalid_id_character", raw, line);
  }
  if (frame.type === "array" && (type === undefined || type === "kind")) {
    openElement(file, frame, heading, { id, kind });
    return at + 1;
  }
  const found = type ?? detectedType(file.source, heading, heading.next > at + 1);
  if (found === "kind") {
    openNested(file, frame.draft, heading, kind, id);
    return at + 1;
  }
  return readHeadingField(file, frame.draft, heading, { ...definition, id }, found, at);
}

/** With nothing above it a field has no object to belong to, and becomes one. */
function readTop(file: FileReading, heading: Heading, definition: Definition, at: number): number {
  const { type, kind } = definition;
  const id = idOf(file, heading, definition);
  if (type === undefined || type === "kind") {
    openObject(file, heading, { id, kind, hasExplicitId: true });
  } else {
    openObject(file, heading, { id, hasExplicitId: true, syntax: syntaxOf[type] });
    const about = { field: id, fieldType: type };
    file.complaints.ofObject("dangling_field", id, heading.line, about);
  }
  return at + 1;
}

function readHeadingField(
  file: FileReading,
  draft: Draft,
  heading: Heading,
  { id, kind, column }: Definition,
  type: FieldType,
  at: number,
): number {
  if (draft.fields.has(id) || !isFieldKey(id)) return keepAsComment(file, draft, heading);
  const place = { heading, column };
  const blocks = () => blocksBelow(file.source, heading);
  if (type === "text") {
    readTextField(file, draft, id, place, endOf(file, heading));
    return heading.next;
  }
  const isReferences = () => !heading.hasObjectChild && isPlainList(blocks());
  if (type === "map") readMapField(file, draft, id, place, blocks());
  else if (type === "yaml" || type === "json") readFenceField(file, draft, id, type, place);
  else if (type === "array" || isReferences()) readListField(file, draft, id, place);
  else {
    const { items, rows } = readObjectArray(file, draft, id, place);
    const { level } = heading;
    const frame: ArrayFrame = { type: "array", level, draft, field: id, kind, items };
    for (const [index, row] of rows.entries()) addRow(file, frame, row, index);
    file.frames.push(frame);
  }
  return at + 1;
}

/** A heading and what is below it, up to the next one, are words about the object. */
function readCommentHeading(file: FileReading, draft: Draft, heading: Heading): void {
  const { line, bodyEnd, level } = heading;
  addWholeComment(draft, slice(file.source.lines, line, bodyEnd));
  collectReferences(file.source, line + 1, bodyEnd, draft.references);
  file.frames.push({ type: "comment", level, draft });
}

/** What cannot be read as it was meant stays word for word, with all that is below it. */
function keepAsComment(file: FileReading, draft: Draft, heading: Heading): number {
  const end = endOf(file, heading);
  addWholeComment(draft, slice(file.source.lines, heading.line, end));
  collectReferences(file.source, heading.line + 1, end, draft.references);
  return heading.next;
}

function finished({ ids, drafts, texts, content, places, complaints }: FileReading): ParsedFile {
  const firstLines = new Map<string, number>();
  for (const { id, line } of drafts) {
    const first = firstLines.get(id);
    if (first === undefined) firstLines.set(id, line + 1);
    else complaints.ofDuplicate(id, first, line + 1);
  }
  const documentId = texts.length > 0 ? `doc_${ids.next()}` : undefined;
  const container = documentId && referenceTo(documentId);
  const records = new Map<Draft | TextBlock, Fields>();
  for (const block of texts) records.set(block, textRecord(block, container ?? ""));
  for (const draft of drafts) records.set(draft, recordOf(draft, container));
  const recordFor = (of: Draft | TextBlock): Fields => records.get(of) ?? new Map();
  return {
    objects: [
      ...(documentId ? [documentOf(documentId, content)] : []),
      ...records.values(),
      ...complaints.all(),
    ],
    places: places.map(({ of, line, endLine, id }) => ({
      object: recordFor(of),
      line,
      endLine,
      id,
    })),
  };
}
