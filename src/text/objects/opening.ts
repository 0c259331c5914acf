import { type Reading, readBody } from "./body.ts";
import { type Draft, draftOf, tell } from "./draft.ts";
import { type Definition, flatKinds, type Heading } from "./headings.ts";
import { type Generator, referenceTo, slug } from "./ids.ts";
import type { ObjectPlace } from "./places.ts";
import { isFieldKey } from "./record-keys.ts";
import { collectReferences } from "./references.ts";
import type { LineIndex } from "./source.ts";
import type { Row } from "./tables.ts";
import { type TextBlock, textBlockOf } from "./text-blocks.ts";
import type { Value } from "./value.ts";

/** A file while it is read from its first heading to its last. */
export interface FileReading extends Reading {
  headings: readonly Heading[];
  ids: Generator;
  /** What is open at a heading: everything whose own heading has fewer marks. */
  frames: Frame[];
  drafts: Draft[];
  texts: TextBlock[];
  /** References to what stands at the top, in its order. */
  content: string[];
  places: (Omit<ObjectPlace, "object"> & { of: Draft | TextBlock })[];
}

type Frame = { level: number; draft: Draft } & (
  | { type: "object" | "comment" }
  | { type: "array"; field: string; kind: string | undefined; items: Value[] }
);

export type ArrayFrame = Extract<Frame, { type: "array" }>;

/** The line behind everything below a heading. */
export const endOf = ({ headings, source }: FileReading, { next }: Heading): LineIndex =>
  headings[next]?.line ?? source.lines.length;

export const autoId = ({ ids }: FileReading, label: string): string =>
  slug(label) || `object_${ids.next()}`;

/** As it is written; of the title where only a type is; made up where nothing is. */
export function idOf(file: FileReading, { label }: Heading, { id, type }: Definition): string {
  if (id !== "") return id;
  return type === undefined ? `object_${file.ids.next()}` : autoId(file, label);
}

/** Makes the heading an object and reads what stands directly below it. */
export function openObject(
  file: FileReading,
  heading: Heading,
  given: Pick<Draft, "id" | "hasExplicitId"> &
    Partial<Pick<Draft, "localId" | "parent">> & {
      kind?: string | undefined;
      isElement?: boolean;
      /** The syntax of a field that became an object. */
      syntax?: string | undefined;
    },
): Draft {
  const { line, level, label, bodyEnd, definition } = heading;
  const { id, hasExplicitId, localId, parent, isElement, syntax, kind = "__Object" } = given;
  const draft = draftOf({
    id,
    localId,
    label,
    kind,
    hasExplicitId,
    level: isElement ? undefined : level,
    line,
    parent,
  });
  if (syntax) tell(draft, "syntax", draft.id, syntax);
  file.drafts.push(draft);
  if (!parent) file.content.push(referenceTo(id));
  const start = definition?.idStart ?? 0;
  const end = start + (definition?.id.length ?? 0);
  const letters = end > start ? { line: line + 1, start, end } : undefined;
  file.places.push({ of: draft, line: line + 1, endLine: endOf(file, heading), id: letters });
  file.frames.push({ type: "object", level, draft });
  readBody(file, draft, line + 1, bodyEnd);
  return draft;
}

/** An object within an object: a field of the outer one refers to it. */
export function openNested(
  file: FileReading,
  parent: Draft,
  heading: Heading,
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

/** An object of an array. */
export function openElement(
  file: FileReading,
  frame: ArrayFrame,
  heading: Heading,
  definition: Pick<Definition, "id" | "kind"> | undefined,
): void {
  const local = definition?.id ?? autoId(file, heading.label);
  openObject(file, heading, {
    ...elementOf(frame, local),
    kind: definition?.kind ?? frame.kind,
    hasExplicitId: definition !== undefined,
    isElement: true,
  });
}

/** A row of a table is an object of the array that the table stands for. */
export function addRow(file: FileReading, frame: ArrayFrame, row: Row, index: number): void {
  const { line, label, fields, types } = row;
  const { id, localId, parent } = elementOf(frame, `${frame.field}_${index}`);
  const kind = frame.kind ?? "__Object";
  const told = { hasExplicitId: true, level: undefined };
  const draft = draftOf({ id, localId, label, kind, ...told, line, parent, fields, types });
  collectReferences(file.source, line, line + 1, draft.references);
  file.drafts.push(draft);
  file.places.push({ of: draft, line: line + 1, endLine: line + 1, id: undefined });
}

/** The ids of an item of an array, which the array gets to know. */
function elementOf(
  { draft: owner, field, items }: ArrayFrame,
  local: string,
): Pick<Draft, "id" | "localId" | "parent"> {
  const isFlat = flatKinds.has(owner.kind);
  // The name of a field with a dot is a path already.
  const path = field.includes(".") ? field : `${owner.id}.${field}`;
  const id = isFlat ? local : `${path}.${local}`;
  items.push(referenceTo(id));
  return { id, localId: isFlat ? undefined : local, parent: { id: owner.id, field } };
}

/** Words that belong to no object. */
export function addText(file: FileReading, from: LineIndex, to: LineIndex): void {
  const block = textBlockOf(file.source, from, to, file.texts.length);
  if (!block) return;
  file.texts.push(block);
  file.content.push(referenceTo(block.id));
  file.places.push({ of: block, line: block.line + 1, endLine: to, id: undefined });
}
