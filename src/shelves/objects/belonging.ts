import { groupedBy } from "../../text/grouped.ts";
import type { WorkspaceObject } from "./workspace-object.ts";

/** Which object another one belongs to. Ids alone do not tell: objects of two kinds may share one. */
export interface Belonging {
  parentOf(object: WorkspaceObject): WorkspaceObject | undefined;
  childrenOf(object: WorkspaceObject): readonly WorkspaceObject[];
}

/**
 * What is nested belongs to the last object of that id above it in its file; what only says so by
 * the dots in its id to the nearest one: of its namespace, of its workspace, of all.
 */
export function readBelonging(objects: readonly WorkspaceObject[]): Belonging {
  const byId = groupedBy(objects, ({ id }) => id);
  const parents = new Map<WorkspaceObject, WorkspaceObject>();
  let above = new Map<string, WorkspaceObject>();
  let file: string | undefined;
  for (const object of objects) {
    if (object.file !== file) above = new Map();
    file = object.file;
    const { parent } = object;
    const found = parent === undefined ? undefined : (above.get(parent) ?? nearest(parent, object));
    if (found && found !== object) parents.set(object, found);
    above.set(object.id, object);
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

  function nearest(id: string, from: WorkspaceObject): WorkspaceObject | undefined {
    const named = byId.get(id) ?? [];
    const near = named.filter(({ workspace }) => workspace === from.workspace);
    return near.find(({ namespace }) => namespace === from.namespace) ?? near[0] ?? named[0];
  }
}
