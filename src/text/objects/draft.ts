import { typeName } from "./bullets.ts";
import { referenceTo } from "./ids.ts";
import type { LineIndex } from "./source.ts";
import { type Fields, fieldsOf, numeral, type Value } from "./value.ts";

/** An object while its lines are read. */
export interface Draft {
  id: string;
  localId: string | undefined;
  label: string;
  kind: string;
  hasExplicitId: boolean;
  /** Not told of an item of an array. */
  level: number | undefined;
  line: LineIndex;
  parent: { id: string; field: string } | undefined;
  comments: Value[];
  /** Blocks that will be one comment. */
  pending: { after: string; parts: string[]; beginsWithParagraph: boolean } | undefined;
  fields: Fields;
  references: Value[];
  /** What is told of fields, by their names; most objects need few of these maps. */
  types: Fields | undefined;
  syntax: Fields | undefined;
  positions: Fields | undefined;
  labels: Fields | undefined;
  /** The field that was read last; what a comment stands behind. */
  lastField: string;
}

/** A file may hold a hundred objects in a thousand letters, so that each is made in one piece. */
export const draftOf = (
  given: Pick<Draft, "id" | "label" | "kind" | "hasExplicitId" | "level" | "line"> &
    Partial<Pick<Draft, "localId" | "parent" | "fields" | "types">>,
): Draft => ({
  id: given.id,
  localId: given.localId,
  label: given.label,
  kind: given.kind,
  hasExplicitId: given.hasExplicitId,
  level: given.level,
  line: given.line,
  parent: given.parent,
  comments: [],
  pending: undefined,
  fields: given.fields ?? new Map(),
  references: [],
  types: given.types,
  syntax: undefined,
  positions: undefined,
  labels: undefined,
  lastField: "__self",
});

/** Tells something of a field. */
export function tell(
  draft: Draft,
  what: "types" | "syntax" | "positions" | "labels",
  key: string,
  value: Value,
): void {
  draft[what] ??= new Map();
  draft[what].set(key, value);
}

export function setField(
  draft: Draft,
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
  if (how.type) tell(draft, "types", key, how.type);
  if (how.syntax) tell(draft, "syntax", key, how.syntax);
  if (how.label) tell(draft, "labels", key, how.label);
  tell(draft, "positions", key, positionOf(how.line, how.column));
  draft.lastField = key;
}

/** A field in a bullet, whose type is told with it. */
export const setTypedField = (
  draft: Draft,
  key: string,
  { value, syntax }: { value: Value; syntax?: string },
  at: { line: LineIndex; column: number },
): void => setField(draft, key, value, { type: typeName(value), syntax, ...at });

const positionOf = (line: LineIndex, column: number): Fields =>
  fieldsOf([
    ["line", numeral(line + 1)],
    ["col", numeral(column)],
  ]);

/** The whole record. The order of its keys is part of the format. */
export function recordOf(draft: Draft, container: string | undefined): Fields {
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
  // What the headings say of a parent holds against a field of that name.
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
