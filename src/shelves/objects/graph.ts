import { groupedBy } from "../../text/grouped.ts";
import { isLayout, type WorkspaceObject } from "./workspace-object.ts";

/** One object speaks of another. */
export interface Edge {
  source: WorkspaceObject;
  target: WorkspaceObject;
  /** The field of the source that holds the reference. */
  field: string;
  /** What the connection is called: the field, or the key of a line at the top of a text. */
  type: string;
  /** The field of the target that is meant, or nothing. */
  targetField: string;
}

export interface Graph {
  readonly edges: readonly Edge[];
  from(object: WorkspaceObject): readonly Edge[];
  to(object: WorkspaceObject): readonly Edge[];
}

export type Direction = "outgoing" | "incoming" | "both";

export function makeGraph(edges: readonly Edge[]): Graph {
  const outgoing = groupedBy(edges, ({ source }) => source.globalId);
  const incoming = groupedBy(edges, ({ target }) => target.globalId);
  return {
    edges,
    from: ({ globalId }) => outgoing.get(globalId) ?? [],
    to: ({ globalId }) => incoming.get(globalId) ?? [],
  };
}

/** What can be reached in so many steps, nearest first, with the connections walked over. */
export function reachable(
  graph: Graph,
  start: WorkspaceObject,
  { direction, depth, type }: { direction: Direction; depth: number; type?: string | undefined },
): { objects: WorkspaceObject[]; edges: Edge[] } {
  const seen = new Set([start.globalId]);
  const objects = [start];
  const edges = new Set<Edge>();
  let front = [start];
  for (let step = 0; step < depth && front.length > 0; step++) {
    const next: WorkspaceObject[] = [];
    for (const object of front) {
      for (const [edge, other] of around(graph, object, direction, type)) {
        edges.add(edge);
        if (seen.has(other.globalId)) continue;
        seen.add(other.globalId);
        objects.push(other);
        next.push(other);
      }
    }
    front = next;
  }
  return { objects, edges: [...edges] };
}

/** A shortest way between two objects, whichever way its connections point. */
export function pathBetween(
  graph: Graph,
  from: WorkspaceObject,
  to: WorkspaceObject,
  type?: string | undefined,
): { objects: WorkspaceObject[]; edges: Edge[] } | undefined {
  const cameBy = new Map<string, { edge: Edge; before: WorkspaceObject } | undefined>([
    [from.globalId, undefined],
  ]);
  let front = [from];
  while (front.length > 0 && !cameBy.has(to.globalId)) {
    const next: WorkspaceObject[] = [];
    for (const object of front) {
      for (const [edge, other] of around(graph, object, "both", type)) {
        if (cameBy.has(other.globalId)) continue;
        cameBy.set(other.globalId, { edge, before: object });
        next.push(other);
      }
    }
    front = next;
  }
  if (!cameBy.has(to.globalId)) return undefined;
  const objects = [to];
  const edges: Edge[] = [];
  for (let step = cameBy.get(to.globalId); step; step = cameBy.get(step.before.globalId)) {
    objects.push(step.before);
    edges.push(step.edge);
  }
  return { objects: objects.reverse(), edges: edges.reverse() };
}

/** A file speaks of all its objects, which does not connect them. */
function* around(
  graph: Graph,
  object: WorkspaceObject,
  direction: Direction,
  type: string | undefined,
): Generator<[Edge, WorkspaceObject]> {
  const isMeant = (edge: Edge): boolean =>
    (type === undefined || edge.type === type) && !isLayout(edge.source) && !isLayout(edge.target);
  if (direction !== "incoming") {
    for (const edge of graph.from(object)) if (isMeant(edge)) yield [edge, edge.target];
  }
  if (direction !== "outgoing") {
    for (const edge of graph.to(object)) if (isMeant(edge)) yield [edge, edge.source];
  }
}
