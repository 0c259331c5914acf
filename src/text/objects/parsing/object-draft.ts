import { referenceTo } from "../ids.ts";
import { createFields, type Fields, numeral, type Value } from "../values/value.ts";
import { typeName } from "./bullets.ts";
import type { LineIndex } from "./source.ts";

/** An object under construction. */
export interface ObjectDraft {
  id: string;
  localId: string | undefined;
  label: string;
  kind: string;
  hasExplicitId: boolean;
  /** Undefined for an array item. */
  level: number | undefined;
  line: LineIndex;
  parent: { id: string; field: string } | undefined;
  comments: Value[];
  /** The blocks of the current comment. */
  pending: { after: string; parts: string[]; beginsWithParagraph: boolean } | undefined;
  fields: Fields;
  references: Value[];
  /** Metadata by field name. Created lazily, because most objects need few of these maps. */
  types: Fields | undefined;
  syntax: Fields | undefined;
  positions: Fields | undefined;
  labels: Fields | undefined;
  /** The last field, to which following comments are attached. */
  lastField: string;
}

/** Construction must be cheap: a file may contain a hundred objects in a thousand characters. */
export const createDraft = (
  initial: Pick<ObjectDraft, "id" | "label" | "kind" | "hasExplicitId" | "level" | "line"> &
    Partial<Pick<ObjectDraft, "localId" | "parent" | "fields" | "types">>,
): ObjectDraft => ({
  id: initial.id,
  localId: initial.localId,
  label: initial.label,
  kind: initial.kind,
  hasExplicitId: initial.hasExplicitId,
  level: initial.level,
  line: initial.line,
  parent: initial.parent,
  comments: [],
  pending: undefined,
  fields: initial.fields ?? new Map(),
  references: [],
  types: initial.types,
  syntax: undefined,
  positions: undefined,
  labels: undefined,
  lastField: "__self",
});

/** Sets metadata of a field. */
export function setFieldMetadata(
  draft: ObjectDraft,
  what: "types" | "syntax" | "positions" | "labels",
  key: string,
  value: Value,
): void {
  draft[what] ??= new Map();
  draft[what].set(key, value);
}

export function setField(
  draft: ObjectDraft,
  key: string,
  value: Value,
  how: {
    type?: string | undefined;
    syntax?: string | undefined;
    label?: string;
    line: LineIndex;
    column: number;
  },
): void {
  draft.fields.set(key, value);
  if (how.type) setFieldMetadata(draft, "types", key, how.type);
  if (how.syntax) setFieldMetadata(draft, "syntax", key, how.syntax);
  if (how.label) setFieldMetadata(draft, "labels", key, how.label);
  setFieldMetadata(draft, "positions", key, positionRecord(how.line, how.column));
  draft.lastField = key;
}

/** Adds a bullet field with its type. */
export const setTypedField = (
  draft: ObjectDraft,
  key: string,
  { value, syntax }: { value: Value; syntax?: string },
  at: { line: LineIndex; column: number },
): void => setField(draft, key, value, { type: typeName(value), syntax, ...at });

const positionRecord = (line: LineIndex, column: number): Fields =>
  createFields([
    ["line", numeral(line + 1)],
    ["col", numeral(column)],
  ]);

/** Builds the record. The order of keys is part of the format. */
export function toRecord(draft: ObjectDraft, container: string | undefined): Fields {
  const { localId, label, level, parent } = draft;
  const record: Fields = new Map();
  record.set("__id", draft.id);
  if (localId !== undefined) record.set("__local_id", localId);
  if (label !== "") record.set("__label", label);
  record.set("__kind", draft.kind);
  if (container && !parent) record.set("__container", container);
  if (parent) {
    record.set("__parent", referenceTo(parent.id));
    record.set("__parent_field", parent.field);
  }
  if (draft.comments.length > 0) record.set("__comments", draft.comments);
  // The parent given by headings takes precedence over a field of the same name.
  for (const [key, value] of draft.fields) if (!record.has(key)) record.set(key, value);
  if (draft.types) record.set("__types", draft.types);
  if (draft.syntax) record.set("__syntax", draft.syntax);
  if (level !== undefined) record.set("__level", numeral(level));
  record.set("__line", numeral(draft.line + 1));
  if (!draft.hasExplicitId) record.set("__has_explicit_id", false);
  if (draft.references.length > 0) record.set("__references", draft.references);
  if (draft.positions) record.set("__positions", draft.positions);
  if (draft.labels) record.set("__labels", draft.labels);
  return record;
}
