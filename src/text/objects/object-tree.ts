import { countBelow } from "../ascending.ts";
import { referencedId, referenceTo } from "./ids.ts";
import { type Fields, isFields, textOf, type Value } from "./value.ts";

/** The objects of a list, found as children of one another. Each is given out once. */
export interface ObjectTree {
  /** What stands at the top of its file, in order. */
  roots: Fields[];
  /** The object that a field refers to, when it is nested there and not given out yet. */
  claim(parent: Fields, field: string, value: Value): Fields | undefined;
  /** The same for all references in an array, or nothing when one of them is no such object. */
  claimAll(parent: Fields, field: string, values: readonly Value[]): Fields[] | undefined;
  /** Children that their field does not refer to: those before another child, or all of them. */
  claimStrays(parent: Fields, before?: Fields): Fields[];
  /** The next object that nobody asked for. */
  claimRest(): Fields | undefined;
}

export const idIn = (record: Fields): string => textOf(record.get("__id")) ?? "";

/** The id in the heading of an object that stands within another. */
export const localIdIn = (record: Fields): string =>
  textOf(record.get("__local_id")) ?? idIn(record);

export function objectTree(values: readonly Value[]): ObjectTree {
  const records = values
    .filter((value) => isFields(value))
    .filter((record) => record.get("__kind") !== "__ParsingError");
  const ids = new Set(records.map(idIn));
  const inferred = inferredParents(records);
  const given = new Set<Fields>();
  const byId = new Map<string, Fields[]>();
  const byParent = new Map<string, Fields[]>();
  const roots: Fields[] = [];
  for (const record of records) {
    const parent = parentOf(record);
    listIn(byId, idIn(record)).push(record);
    if (parent && ids.has(parent.id)) listIn(byParent, parent.id).push(record);
    else roots.push(record);
  }

  /** As the record says, or, in a list without such words, as its id and a field agree. */
  function parentOf(record: Fields): { id: string; field: string } | undefined {
    const said = referencedId(textOf(record.get("__parent")) ?? "");
    const field = textOf(record.get("__parent_field"));
    if (said !== undefined && field !== undefined) return { id: said, field };
    return record.has("__local_id") ? inferred.get(idIn(record)) : undefined;
  }

  const places = new Map(records.map((record, place) => [record, place]));
  const placeOf = (record: Fields): number => places.get(record) ?? records.length;
  const rootSet = new Set(roots);
  let next = 0;
  const strays = straysIn(byParent, byId, parentOf);

  function claim(parent: Fields, field: string, value: Value): Fields | undefined {
    const id = typeof value === "string" ? referencedId(value) : undefined;
    if (id === undefined) return undefined;
    const found = byId.get(id)?.find((record) => {
      const above = given.has(record) ? undefined : parentOf(record);
      return above?.id === idIn(parent) && above.field === field;
    });
    if (found) given.add(found);
    return found;
  }

  return {
    roots: inOrder(roots),
    claim,
    claimAll(parent, field, values) {
      const claimed = values.map((value) => claim(parent, field, value));
      const found = claimed.filter((record) => record !== undefined);
      if (found.length === values.length) return found;
      for (const record of found) given.delete(record);
      return undefined;
    },
    claimStrays(parent, before) {
      const own = strays.get(idIn(parent));
      if (!own) return [];
      const last = before ? placeOf(before) : records.length;
      const next = own.splice(
        0,
        countBelow(own, (record) => placeOf(record) < last),
      );
      const found = next.filter((record) => !given.has(record));
      for (const record of found) given.add(record);
      return found;
    },
    claimRest() {
      while (next < records.length) {
        const record = records[next++];
        if (!record || given.has(record) || rootSet.has(record)) continue;
        given.add(record);
        return record;
      }
      return undefined;
    },
  };
}

type Lists = Map<string, Fields[]>;

/** Children that the field they name does not refer to, because it holds something else. */
function straysIn(
  byParent: Lists,
  byId: Lists,
  parentOf: (record: Fields) => { field: string } | undefined,
): Lists {
  const strays: Lists = new Map();
  for (const [id, children] of byParent) {
    const held = new Set((byId.get(id) ?? []).flatMap(heldIn));
    for (const child of children) {
      const field = parentOf(child)?.field ?? "";
      if (!held.has(`${field} ${referenceTo(idIn(child))}`)) listIn(strays, id).push(child);
    }
  }
  return strays;
}

/** Each reference in a field that is no bullet, behind the name of the field. */
const heldIn = (parent: Fields): string[] =>
  Array.from(parent).flatMap(([field, value]) =>
    isTyped(parent, field)
      ? []
      : (Array.isArray(value) ? value : [value])
          .filter((item) => typeof item === "string")
          .map((item) => `${field} ${item}`),
  );

/** A type is told of what stands in a bullet, and never of an object that is nested. */
export function isTyped(record: Fields, field: string): boolean {
  const types = record.get("__types");
  return isFields(types) && types.has(field);
}

function listIn(lists: Lists, key: string): Fields[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

function inferredParents(records: readonly Fields[]): Map<string, { id: string; field: string }> {
  const parents = new Map<string, { id: string; field: string }>();
  for (const record of records) {
    const id = idIn(record);
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

/** As the document says, then the rest; a text without a heading can only stand before all. */
function inOrder(roots: readonly Fields[]): Fields[] {
  const document = roots.find((record) => record.get("__kind") === "__Document");
  const waiting = new Map<string, Fields[]>();
  const others = roots.filter((record) => record.get("__kind") !== "__Document");
  for (const record of others) listIn(waiting, idIn(record)).push(record);
  const content = document?.get("content");
  const named = (Array.isArray(content) ? content : []).flatMap((item) => {
    const record = waiting.get(referencedId(textOf(item) ?? "") ?? "")?.shift();
    return record ? [record] : [];
  });
  const isNamed = new Set(named);
  const all = [...named, ...others.filter((record) => !isNamed.has(record))];
  const isHeadless = (record: Fields) =>
    record.get("__kind") === "__TextBlock" && !textOf(record.get("content"))?.startsWith("#");
  return [...all.filter(isHeadless), ...all.filter((record) => !isHeadless(record))];
}
