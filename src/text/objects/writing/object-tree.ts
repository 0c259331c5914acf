import { countBelow } from "../../arrays/binary-search.ts";
import { referencedId, referenceTo } from "../ids.ts";
import { type Fields, isFields, textValue, type Value } from "../values/value.ts";

/** Arranges a list of objects as a tree. Each object is returned once. */
export interface ObjectTree {
  /** The top-level objects of the file, in order. */
  roots: Fields[];
  /** The object that a field refers to, if it is nested there and not yet returned. */
  claim(parent: Fields, field: string, value: Value): Fields | undefined;
  /** The same for all references of an array; undefined if one of them is not such an object. */
  claimAll(parent: Fields, field: string, values: readonly Value[]): Fields[] | undefined;
  /** Children that their field does not refer to: those before another child, or all. */
  claimUnreferenced(parent: Fields, before?: Fields): Fields[];
  /** The next object not yet returned. */
  claimNext(): Fields | undefined;
}

export const recordId = (record: Fields): string => textValue(record.get("__id")) ?? "";

/** The id in the heading of a nested object. */
export const recordLocalId = (record: Fields): string =>
  textValue(record.get("__local_id")) ?? recordId(record);

export function buildObjectTree(values: readonly Value[]): ObjectTree {
  const records = values
    .filter((value) => isFields(value))
    .filter((record) => record.get("__kind") !== "__ParsingError");
  const ids = new Set(records.map(recordId));
  const inferred = inferredParents(records);
  const claimedRecords = new Set<Fields>();
  const byId = new Map<string, Fields[]>();
  const byParent = new Map<string, Fields[]>();
  const roots: Fields[] = [];
  for (const record of records) {
    const parent = parentOf(record);
    getOrCreateList(byId, recordId(record)).push(record);
    if (parent && ids.has(parent.id)) getOrCreateList(byParent, parent.id).push(record);
    else roots.push(record);
  }

  /** From the record, or, without metadata, derived from the id and a field. */
  function parentOf(record: Fields): { id: string; field: string } | undefined {
    const parentId = referencedId(textValue(record.get("__parent")) ?? "");
    const field = textValue(record.get("__parent_field"));
    if (parentId !== undefined && field !== undefined) return { id: parentId, field };
    return record.has("__local_id") ? inferred.get(recordId(record)) : undefined;
  }

  const positions = new Map(records.map((record, position) => [record, position]));
  const positionOf = (record: Fields): number => positions.get(record) ?? records.length;
  const rootSet = new Set(roots);
  let next = 0;
  const unreferenced = unreferencedChildren(byParent, byId, parentOf);

  function claim(parent: Fields, field: string, value: Value): Fields | undefined {
    const id = typeof value === "string" ? referencedId(value) : undefined;
    if (id === undefined) return undefined;
    const found = byId.get(id)?.find((record) => {
      const owner = claimedRecords.has(record) ? undefined : parentOf(record);
      return owner?.id === recordId(parent) && owner.field === field;
    });
    if (found) claimedRecords.add(found);
    return found;
  }

  return {
    roots: sortRoots(roots),
    claim,
    claimAll(parent, field, values) {
      const claimed = values.map((value) => claim(parent, field, value));
      const found = claimed.filter((record) => record !== undefined);
      if (found.length === values.length) return found;
      for (const record of found) claimedRecords.delete(record);
      return undefined;
    },
    claimUnreferenced(parent, before) {
      const children = unreferenced.get(recordId(parent));
      if (!children) return [];
      const last = before ? positionOf(before) : records.length;
      const next = children.splice(
        0,
        countBelow(children, (record) => positionOf(record) < last),
      );
      const found = next.filter((record) => !claimedRecords.has(record));
      for (const record of found) claimedRecords.add(record);
      return found;
    },
    claimNext() {
      while (next < records.length) {
        const record = records[next++];
        if (!record || claimedRecords.has(record) || rootSet.has(record)) continue;
        claimedRecords.add(record);
        return record;
      }
      return undefined;
    },
  };
}

type RecordLists = Map<string, Fields[]>;

/** Children that the field of their parent does not refer to. */
function unreferencedChildren(
  byParent: RecordLists,
  byId: RecordLists,
  parentOf: (record: Fields) => { field: string } | undefined,
): RecordLists {
  const unreferenced: RecordLists = new Map();
  for (const [id, children] of byParent) {
    const referenced = new Set((byId.get(id) ?? []).flatMap(referencesInFields));
    for (const child of children) {
      const field = parentOf(child)?.field ?? "";
      if (!referenced.has(`${field} ${referenceTo(recordId(child))}`))
        getOrCreateList(unreferenced, id).push(child);
    }
  }
  return unreferenced;
}

/** Each reference in a heading field, with the name of the field. */
const referencesInFields = (parent: Fields): string[] =>
  Array.from(parent).flatMap(([field, value]) =>
    isTyped(parent, field)
      ? []
      : (Array.isArray(value) ? value : [value])
          .filter((item) => typeof item === "string")
          .map((item) => `${field} ${item}`),
  );

/** Types are stored for bullet fields and never for nested objects. */
export function isTyped(record: Fields, field: string): boolean {
  const types = record.get("__types");
  return isFields(types) && types.has(field);
}

function getOrCreateList(lists: RecordLists, key: string): Fields[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

function inferredParents(records: readonly Fields[]): Map<string, { id: string; field: string }> {
  const parents = new Map<string, { id: string; field: string }>();
  for (const record of records) {
    const id = recordId(record);
    for (const [field, value] of record) {
      for (const item of Array.isArray(value) ? value : [value]) {
        const target = typeof item === "string" ? referencedId(item) : undefined;
        const path = Array.isArray(value) ? `${id}.${field}.` : `${id}.${field}`;
        const isChild = Array.isArray(value) ? target?.startsWith(path) : target === path;
        if (target && (isChild || target.startsWith(`${field}.`)))
          parents.set(target, { id, field });
      }
    }
  }
  return parents;
}

/** In document order, then the rest; text without a heading must come first. */
function sortRoots(roots: readonly Fields[]): Fields[] {
  const document = roots.find((record) => record.get("__kind") === "__Document");
  const pending = new Map<string, Fields[]>();
  const others = roots.filter((record) => record.get("__kind") !== "__Document");
  for (const record of others) getOrCreateList(pending, recordId(record)).push(record);
  const content = document?.get("content");
  const listed = (Array.isArray(content) ? content : []).flatMap((item) => {
    const record = pending.get(referencedId(textValue(item) ?? "") ?? "")?.shift();
    return record ? [record] : [];
  });
  const isListed = new Set(listed);
  const all = [...listed, ...others.filter((record) => !isListed.has(record))];
  const hasNoHeading = (record: Fields) =>
    record.get("__kind") === "__TextBlock" && !textValue(record.get("content"))?.startsWith("#");
  return [...all.filter(hasNoHeading), ...all.filter((record) => !hasNoHeading(record))];
}
