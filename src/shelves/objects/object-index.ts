import type { IndexEntry } from "../../kernel/index/contract.ts";
import { openMemoryIndex } from "../../kernel/index/memory.ts";
import type { ParsedObject } from "../../text/objects/parse.ts";
import { textsIn } from "../../text/objects/value.ts";
import type { Query } from "../../text/query.ts";
import { fieldsOf, isLayout, type WorkspaceObject } from "./workspace-object.ts";

/** Finds objects of a workspace by the words in them, with the ranking that documents have. */
export interface ObjectIndex {
  /** Brings the index to what these objects are, then asks it. */
  ranked(objects: readonly WorkspaceObject[], query: Query): WorkspaceObject[];
}

/**
 * The index lies in memory, beside the objects. What was parsed anew is another record, so a change
 * of one file costs the indexing of its own objects.
 */
export function openObjectIndex(): ObjectIndex {
  const index = openMemoryIndex();
  let numbers = new Map<ParsedObject, number>();
  let last = 0;
  let brought: readonly WorkspaceObject[] = [];
  let current = new Map<number, WorkspaceObject>();

  function bringTo(objects: readonly WorkspaceObject[]): void {
    if (objects === brought) return;
    const before = numbers;
    brought = objects;
    current = new Map();
    const added: [number, WorkspaceObject][] = [];
    numbers = new Map();
    for (const object of objects) {
      if (isLayout(object)) continue;
      const number = before.get(object.record) ?? ++last;
      if (!before.delete(object.record)) added.push([number, object]);
      numbers.set(object.record, number);
      current.set(number, object);
    }
    if (added.length > 0 || before.size > 0) {
      index.change(({ put, remove }) => {
        for (const number of before.values()) remove(number);
        for (const [number, object] of added) put(number, entryOf(object));
      });
    }
  }

  return {
    ranked(objects, query) {
      bringTo(objects);
      return index.rank(query).flatMap((number) => current.get(number) ?? []);
    },
  };
}

function entryOf({ id, label = "", kind, record, line }: WorkspaceObject): IndexEntry {
  const texts: string[] = [];
  for (const [name, value] of fieldsOf(record)) {
    texts.push(name);
    for (const text of textsIn(value)) texts.push(text);
  }
  for (const text of textsIn(record.get("__comments") ?? null)) texts.push(text);
  const passage = { headings: [kind], line, endLine: line, text: texts.join("\n") };
  return { title: `${label} ${id}`, path: id, passages: [passage] };
}
