import { createIdGenerator, referenceTo, toSlug } from "../ids.ts";
import type { ObjectPosition } from "../object-positions.ts";
import { isFieldKey } from "../record-keys.ts";
import type { Fields } from "../values/value.ts";
import { addSeparateComment } from "./comments.ts";
import {
  fieldSyntaxes,
  isPlainList,
  readFenceField,
  readListField,
  readMapField,
  readObjectArray,
  readTextField,
} from "./heading-fields.ts";
import { type ObjectDraft, toRecord } from "./object-draft.ts";
import {
  type FieldType,
  type ObjectDefinition,
  type ObjectHeading,
  readObjectHeadings,
} from "./object-headings.ts";
import {
  type ArrayFrame,
  addRow,
  addTextBlock,
  endOfSection,
  type FileContext,
  generateId,
  headingId,
  openElement,
  openNested,
  openObject,
} from "./open-objects.ts";
import { createParseErrors } from "./parse-errors.ts";
import { collectReferences } from "./references.ts";
import { scanSource, trimmedSlice } from "./source.ts";
import { documentRecord, type TextBlock, textRecord } from "./text-blocks.ts";
import { blocksBelow, detectFieldType, hasFields } from "./type-detection.ts";

/** The parsed content of a file. */
export interface ParsedFile {
  /** The document, its text blocks, then the objects, then the errors. */
  objects: Fields[];
  /** One per object and text block, in file order. */
  positions: ObjectPosition[];
}

/** Kinds reserved by the format. */
const systemKinds: ReadonlySet<string> = new Set(["__Document", "__TextBlock", "__Object"]);

/** Parses a file of typed objects. Never fails: problems are reported as error objects. */
export function parseFile(text: string): ParsedFile {
  const source = scanSource(text.startsWith("\uFEFF") ? text.slice(1) : text);
  const headings = readObjectHeadings(source);
  const file: FileContext = {
    source,
    headings,
    errors: createParseErrors(),
    ids: createIdGenerator(),
    frames: [],
    drafts: [],
    texts: [],
    content: [],
    positions: [],
  };
  addTextBlock(file, 0, headings[0]?.line ?? source.lines.length);
  for (let at = 0; at < headings.length; ) {
    const heading = headings[at];
    if (!heading) break;
    while ((file.frames.at(-1)?.level ?? 0) >= heading.level) file.frames.pop();
    const { definition } = heading;
    at = definition
      ? readDefinedHeading(file, heading, definition, at)
      : readPlainHeading(file, heading, at);
  }
  return finishFile(file);
}

// Each of the following returns the index of the next heading to parse.

/** A heading without `[[…]]` is an object if it has fields, otherwise text. */
function readPlainHeading(file: FileContext, heading: ObjectHeading, at: number): number {
  const { source, ids } = file;
  const frame = file.frames.at(-1);
  if (frame) {
    const isElement = frame.type === "array" && hasFields(source, heading);
    if (isElement) openElement(file, frame, heading, undefined);
    else readCommentHeading(file, frame.draft, heading);
  } else if (hasFields(source, heading)) {
    openObject(file, heading, { id: generateId(file, heading.label), hasExplicitId: false });
  } else {
    // Every heading without a slug consumes a generated id, even if it turns out to be text.
    if (toSlug(heading.label) === "") ids.next();
    addTextBlock(file, heading.line, heading.bodyEnd);
  }
  return at + 1;
}

function readDefinedHeading(
  file: FileContext,
  heading: ObjectHeading,
  definition: ObjectDefinition,
  at: number,
): number {
  const { errors } = file;
  const { line } = heading;
  const { type, kind, raw } = definition;
  const frame = file.frames.at(-1);
  const [extraDefinition] = heading.extraDefinitions;
  if (extraDefinition) errors.addForDefinition("multiple_definitions", extraDefinition.raw, line);
  if (type === "kind" && kind && systemKinds.has(kind)) {
    errors.addForDefinition("explicit_system_type", raw, line, definition.id);
    return at + 1;
  }
  if (!frame) return readTopHeading(file, heading, definition, at);
  if (frame.type === "comment" && type !== "kind") {
    errors.addForDefinition("structured_in_textblock", raw, line, definition.id || undefined);
    return keepAsComment(file, frame.draft, heading);
  }
  const id = headingId(file, heading, definition);
  if (id.includes(".") && type !== "object_array") {
    errors.addForDefinition("invalid_id_character", raw, line);
  }
  if (frame.type === "array" && (type === undefined || type === "kind")) {
    openElement(file, frame, heading, { id, kind });
    return at + 1;
  }
  const found = type ?? detectFieldType(file.source, heading, heading.next > at + 1);
  if (found === "kind") {
    openNested(file, frame.draft, heading, kind, id);
    return at + 1;
  }
  return readHeadingField(file, frame.draft, heading, { ...definition, id }, found, at);
}

/** A field heading outside any object becomes an object. */
function readTopHeading(
  file: FileContext,
  heading: ObjectHeading,
  definition: ObjectDefinition,
  at: number,
): number {
  const { type, kind } = definition;
  const id = headingId(file, heading, definition);
  if (type === undefined || type === "kind") {
    openObject(file, heading, { id, kind, hasExplicitId: true });
  } else {
    openObject(file, heading, { id, hasExplicitId: true, syntax: fieldSyntaxes[type] });
    const about = { field: id, fieldType: type };
    file.errors.addForObject("dangling_field", id, heading.line, about);
  }
  return at + 1;
}

function readHeadingField(
  file: FileContext,
  draft: ObjectDraft,
  heading: ObjectHeading,
  { id, kind, column }: ObjectDefinition,
  type: FieldType,
  at: number,
): number {
  if (draft.fields.has(id) || !isFieldKey(id)) return keepAsComment(file, draft, heading);
  const position = { heading, column };
  const blocks = () => blocksBelow(file.source, heading);
  if (type === "text") {
    readTextField(file, draft, id, position, endOfSection(file, heading));
    return heading.next;
  }
  const isReferences = () => !heading.hasObjectChild && isPlainList(blocks());
  if (type === "map") readMapField(file, draft, id, position, blocks());
  else if (type === "yaml" || type === "json") readFenceField(file, draft, id, type, position);
  else if (type === "array" || isReferences()) readListField(file, draft, id, position);
  else {
    const { items, rows } = readObjectArray(file, draft, id, position);
    const { level } = heading;
    const frame: ArrayFrame = { type: "array", level, draft, field: id, kind, items };
    for (const [index, row] of rows.entries()) addRow(file, frame, row, index);
    file.frames.push(frame);
  }
  return at + 1;
}

/** A heading with the text below it, up to the next heading, is a comment of the object. */
function readCommentHeading(file: FileContext, draft: ObjectDraft, heading: ObjectHeading): void {
  const { line, bodyEnd, level } = heading;
  addSeparateComment(draft, trimmedSlice(file.source.lines, line, bodyEnd));
  collectReferences(file.source, line + 1, bodyEnd, draft.references);
  file.frames.push({ type: "comment", level, draft });
}

/** Content that is invalid for its definition is kept verbatim, with everything below it. */
function keepAsComment(file: FileContext, draft: ObjectDraft, heading: ObjectHeading): number {
  const end = endOfSection(file, heading);
  addSeparateComment(draft, trimmedSlice(file.source.lines, heading.line, end));
  collectReferences(file.source, heading.line + 1, end, draft.references);
  return heading.next;
}

function finishFile({ ids, drafts, texts, content, positions, errors }: FileContext): ParsedFile {
  const firstLines = new Map<string, number>();
  for (const { id, line } of drafts) {
    const first = firstLines.get(id);
    if (first === undefined) firstLines.set(id, line + 1);
    else errors.addForDuplicate(id, first, line + 1);
  }
  const documentId = texts.length > 0 ? `doc_${ids.next()}` : undefined;
  const container = documentId && referenceTo(documentId);
  const records = new Map<ObjectDraft | TextBlock, Fields>();
  for (const block of texts) records.set(block, textRecord(block, container ?? ""));
  for (const draft of drafts) records.set(draft, toRecord(draft, container));
  const recordFor = (of: ObjectDraft | TextBlock): Fields => records.get(of) ?? new Map();
  return {
    objects: [
      ...(documentId ? [documentRecord(documentId, content)] : []),
      ...records.values(),
      ...errors.all(),
    ],
    positions: positions.map(({ of, line, endLine, id }) => ({
      object: recordFor(of),
      line,
      endLine,
      id,
    })),
  };
}
