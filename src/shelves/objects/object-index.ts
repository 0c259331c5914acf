import { openMemoryIndex } from "../../kernel/index/memory-index.ts";
import type { IndexedDocument } from "../../kernel/index/search-index.ts";
import type { ParsedObject } from "../../text/objects/parse-objects.ts";
import { allTextsIn } from "../../text/objects/values/value.ts";
import type { Query } from "../../text/search/query.ts";
import { fieldsOf, isLayout, type WorkspaceObject } from "./workspace/workspace-object.ts";

/** Full-text search over the objects of a workspace, with the ranking of documents (BM25). */
export interface ObjectIndex {
  /** Updates the index to these objects and ranks them. */
  rank(objects: readonly WorkspaceObject[], query: Query): WorkspaceObject[];
}

/**
 * The index is in memory. A changed file is parsed into new records, so after a change only the
 * objects of that file are indexed again.
 */
export function createObjectIndex(): ObjectIndex {
  const index = openMemoryIndex();
  let numbers = new Map<ParsedObject, number>();
  let last = 0;
  let indexedObjects: readonly WorkspaceObject[] = [];
  let current = new Map<number, WorkspaceObject>();

  function syncTo(objects: readonly WorkspaceObject[]): void {
    if (objects === indexedObjects) return;
    const previous = numbers;
    indexedObjects = objects;
    current = new Map();
    const added: [number, WorkspaceObject][] = [];
    numbers = new Map();
    for (const object of objects) {
      if (isLayout(object)) continue;
      const number = previous.get(object.record) ?? ++last;
      if (!previous.delete(object.record)) added.push([number, object]);
      numbers.set(object.record, number);
      current.set(number, object);
    }
    if (added.length > 0 || previous.size > 0) {
      index.change(({ put, remove }) => {
        for (const number of previous.values()) remove(number);
        for (const [number, object] of added) put(number, toIndexEntry(object));
      });
    }
  }

  return {
    rank(objects, query) {
      syncTo(objects);
      return index.rank(query).flatMap((number) => current.get(number) ?? []);
    },
  };
}

function toIndexEntry({ id, label = "", kind, record, line }: WorkspaceObject): IndexedDocument {
  const texts: string[] = [];
  for (const [name, value] of fieldsOf(record)) {
    texts.push(name);
    for (const text of allTextsIn(value)) texts.push(text);
  }
  for (const text of allTextsIn(record.get("__comments") ?? null)) texts.push(text);
  const passage = { headings: [kind], line, endLine: line, text: texts.join("\n") };
  return { title: `${label} ${id}`, path: id, passages: [passage] };
}
