import { type IdGenerator, referenceTo, toSlug } from "../ids.ts";
import type { ObjectPosition } from "../object-positions.ts";
import { isFieldKey } from "../record-keys.ts";
import type { Value } from "../values/value.ts";
import { type ParseContext, readBody } from "./body.ts";
import { createDraft, type ObjectDraft, setFieldMetadata } from "./object-draft.ts";
import { flatKinds, type ObjectDefinition, type ObjectHeading } from "./object-headings.ts";
import { collectReferences } from "./references.ts";
import type { LineIndex } from "./source.ts";
import type { TableRow } from "./tables.ts";
import { createTextBlock, type TextBlock } from "./text-blocks.ts";

/** The state of parsing one file. */
export interface FileContext extends ParseContext {
  headings: readonly ObjectHeading[];
  ids: IdGenerator;
  /** The stack of open objects and fields: those with a smaller heading level. */
  frames: Frame[];
  drafts: ObjectDraft[];
  texts: TextBlock[];
  /** References to the top-level objects, in order. */
  content: string[];
  positions: (Omit<ObjectPosition, "object"> & { of: ObjectDraft | TextBlock })[];
}

type Frame = { level: number; draft: ObjectDraft } & (
  | { type: "object" | "comment" }
  | { type: "array"; field: string; kind: string | undefined; items: Value[] }
);

export type ArrayFrame = Extract<Frame, { type: "array" }>;

/** The line after everything below a heading. */
export const endOfSection = (
  { headings, source }: FileContext,
  { next }: ObjectHeading,
): LineIndex => headings[next]?.line ?? source.lines.length;

export const generateId = ({ ids }: FileContext, label: string): string =>
  toSlug(label) || `object_${ids.next()}`;

/** The written id, or one made from the title if only a type is given, or else a generated one. */
export function headingId(
  file: FileContext,
  { label }: ObjectHeading,
  { id, type }: ObjectDefinition,
): string {
  if (id !== "") return id;
  return type === undefined ? `object_${file.ids.next()}` : generateId(file, label);
}

/** Creates the object of a heading and parses its body. */
export function openObject(
  file: FileContext,
  heading: ObjectHeading,
  properties: Pick<ObjectDraft, "id" | "hasExplicitId"> &
    Partial<Pick<ObjectDraft, "localId" | "parent">> & {
      kind?: string | undefined;
      isElement?: boolean;
      /** The syntax of a field that became an object. */
      syntax?: string | undefined;
    },
): ObjectDraft {
  const { line, level, label, bodyEnd, definition } = heading;
  const { id, hasExplicitId, localId, parent, isElement, syntax, kind = "__Object" } = properties;
  const draft = createDraft({
    id,
    localId,
    label,
    kind,
    hasExplicitId,
    level: isElement ? undefined : level,
    line,
    parent,
  });
  if (syntax) setFieldMetadata(draft, "syntax", draft.id, syntax);
  file.drafts.push(draft);
  if (!parent) file.content.push(referenceTo(id));
  const start = definition?.idStart ?? 0;
  const end = start + (definition?.id.length ?? 0);
  const idPosition = end > start ? { line: line + 1, start, end } : undefined;
  file.positions.push({
    of: draft,
    line: line + 1,
    endLine: endOfSection(file, heading),
    id: idPosition,
  });
  file.frames.push({ type: "object", level, draft });
  readBody(file, draft, line + 1, bodyEnd);
  return draft;
}

/** Adds a nested object: a field of the parent refers to it. */
export function openNested(
  file: FileContext,
  parent: ObjectDraft,
  heading: ObjectHeading,
  kind: string | undefined,
  local: string,
): void {
  const isFlat = flatKinds.has(parent.kind);
  const id = isFlat ? local : `${parent.id}.${local}`;
  if (!parent.fields.has(local) && isFieldKey(local)) {
    parent.fields.set(local, referenceTo(id));
    parent.lastField = local;
  }
  openObject(file, heading, {
    id,
    localId: isFlat ? undefined : local,
    kind,
    hasExplicitId: true,
    parent: { id: parent.id, field: local },
  });
}

/** Adds an object to an array. */
export function openElement(
  file: FileContext,
  frame: ArrayFrame,
  heading: ObjectHeading,
  definition: Pick<ObjectDefinition, "id" | "kind"> | undefined,
): void {
  const local = definition?.id ?? generateId(file, heading.label);
  openObject(file, heading, {
    ...elementIds(frame, local),
    kind: definition?.kind ?? frame.kind,
    hasExplicitId: definition !== undefined,
    isElement: true,
  });
}

/** A table row is an object of the array. */
export function addRow(file: FileContext, frame: ArrayFrame, row: TableRow, index: number): void {
  const { line, label, fields, types } = row;
  const { id, localId, parent } = elementIds(frame, `${frame.field}_${index}`);
  const kind = frame.kind ?? "__Object";
  const rowFacts = { hasExplicitId: true, level: undefined };
  const draft = createDraft({ id, localId, label, kind, ...rowFacts, line, parent, fields, types });
  collectReferences(file.source, line, line + 1, draft.references);
  file.drafts.push(draft);
  file.positions.push({ of: draft, line: line + 1, endLine: line + 1, id: undefined });
}

/** The ids of an array item; also adds the item to the array. */
function elementIds(
  { draft: owner, field, items }: ArrayFrame,
  local: string,
): Pick<ObjectDraft, "id" | "localId" | "parent"> {
  const isFlat = flatKinds.has(owner.kind);
  // A field name with a dot is a path already.
  const path = field.includes(".") ? field : `${owner.id}.${field}`;
  const id = isFlat ? local : `${path}.${local}`;
  items.push(referenceTo(id));
  return { id, localId: isFlat ? undefined : local, parent: { id: owner.id, field } };
}

/** Text outside all objects. */
export function addTextBlock(file: FileContext, from: LineIndex, to: LineIndex): void {
  const block = createTextBlock(file.source, from, to, file.texts.length);
  if (!block) return;
  file.texts.push(block);
  file.content.push(referenceTo(block.id));
  file.positions.push({ of: block, line: block.line + 1, endLine: to, id: undefined });
}
