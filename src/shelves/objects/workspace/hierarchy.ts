import { groupBy } from "../../../text/arrays/group-by.ts";
import type { WorkspaceObject } from "./workspace-object.ts";

/** The parents and children of objects. Ids alone are ambiguous: objects of two kinds may share an id. */
export interface ObjectHierarchy {
  parentOf(object: WorkspaceObject): WorkspaceObject | undefined;
  childrenOf(object: WorkspaceObject): readonly WorkspaceObject[];
}

/**
 * Finds the parent of each object by its parent id: the last object with that id preceding it in its
 * file, else one in its namespace, in its workspace, or anywhere.
 */
export function buildHierarchy(objects: readonly WorkspaceObject[]): ObjectHierarchy {
  const byId = groupBy(objects, ({ id }) => id);
  const parents = new Map<WorkspaceObject, WorkspaceObject>();
  let preceding = new Map<string, WorkspaceObject>();
  let file: string | undefined;
  for (const object of objects) {
    if (object.file !== file) preceding = new Map();
    file = object.file;
    const { parent } = object;
    const match =
      parent === undefined ? undefined : (preceding.get(parent) ?? nearestById(parent, object));
    if (match && match !== object) parents.set(object, match);
    preceding.set(object.id, object);
  }
  const children = new Map<WorkspaceObject, WorkspaceObject[]>();
  for (const [child, parent] of parents) {
    const siblings = children.get(parent);
    if (siblings) siblings.push(child);
    else children.set(parent, [child]);
  }
  return {
    parentOf: (object) => parents.get(object),
    childrenOf: (object) => children.get(object) ?? [],
  };

  function nearestById(id: string, from: WorkspaceObject): WorkspaceObject | undefined {
    const named = byId.get(id) ?? [];
    const near = named.filter(({ workspace }) => workspace === from.workspace);
    return near.find(({ namespace }) => namespace === from.namespace) ?? near[0] ?? named[0];
  }
}
