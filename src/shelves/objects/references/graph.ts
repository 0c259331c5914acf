import { groupBy } from "../../../text/arrays/group-by.ts";
import { isLayout, type WorkspaceObject } from "../workspace/workspace-object.ts";

/** A reference from one object to another. */
export interface ObjectEdge {
  source: WorkspaceObject;
  target: WorkspaceObject;
  /** The field of the source that holds the reference. */
  field: string;
  /** The field, or the key of a line at the start of a text. */
  type: string;
  /** The referenced field of the target, or "". */
  targetField: string;
}

export interface ObjectGraph {
  readonly edges: readonly ObjectEdge[];
  outgoing(object: WorkspaceObject): readonly ObjectEdge[];
  incoming(object: WorkspaceObject): readonly ObjectEdge[];
}

export type GraphDirection = "outgoing" | "incoming" | "both";

export function createGraph(edges: readonly ObjectEdge[]): ObjectGraph {
  const outgoing = groupBy(edges, ({ source }) => source.globalId);
  const incoming = groupBy(edges, ({ target }) => target.globalId);
  return {
    edges,
    outgoing: ({ globalId }) => outgoing.get(globalId) ?? [],
    incoming: ({ globalId }) => incoming.get(globalId) ?? [],
  };
}

/** Breadth-first search: the objects within `depth` steps, nearest first, and the edges traversed. */
export function findReachable(
  graph: ObjectGraph,
  start: WorkspaceObject,
  {
    direction,
    depth,
    type,
  }: { direction: GraphDirection; depth: number; type?: string | undefined },
): { objects: WorkspaceObject[]; edges: ObjectEdge[] } {
  const seen = new Set([start.globalId]);
  const objects = [start];
  const edges = new Set<ObjectEdge>();
  let frontier = [start];
  for (let step = 0; step < depth && frontier.length > 0; step++) {
    const next: WorkspaceObject[] = [];
    for (const object of frontier) {
      for (const [edge, other] of neighbours(graph, object, direction, type)) {
        edges.add(edge);
        if (seen.has(other.globalId)) continue;
        seen.add(other.globalId);
        objects.push(other);
        next.push(other);
      }
    }
    frontier = next;
  }
  return { objects, edges: [...edges] };
}

/** A shortest path between two objects, ignoring the direction of edges (breadth-first search). */
export function findShortestPath(
  graph: ObjectGraph,
  from: WorkspaceObject,
  to: WorkspaceObject,
  type?: string | undefined,
): { objects: WorkspaceObject[]; edges: ObjectEdge[] } | undefined {
  const predecessors = new Map<string, { edge: ObjectEdge; before: WorkspaceObject } | undefined>([
    [from.globalId, undefined],
  ]);
  let frontier = [from];
  while (frontier.length > 0 && !predecessors.has(to.globalId)) {
    const next: WorkspaceObject[] = [];
    for (const object of frontier) {
      for (const [edge, other] of neighbours(graph, object, "both", type)) {
        if (predecessors.has(other.globalId)) continue;
        predecessors.set(other.globalId, { edge, before: object });
        next.push(other);
      }
    }
    frontier = next;
  }
  if (!predecessors.has(to.globalId)) return undefined;
  const objects = [to];
  const edges: ObjectEdge[] = [];
  for (
    let step = predecessors.get(to.globalId);
    step;
    step = predecessors.get(step.before.globalId)
  ) {
    objects.push(step.before);
    edges.push(step.edge);
  }
  return { objects: objects.reverse(), edges: edges.reverse() };
}

/** The edges of an object except those of layout objects: a file refers to all its objects. */
function* neighbours(
  graph: ObjectGraph,
  object: WorkspaceObject,
  direction: GraphDirection,
  type: string | undefined,
): Generator<[ObjectEdge, WorkspaceObject]> {
  const isIncluded = (edge: ObjectEdge): boolean =>
    (type === undefined || edge.type === type) && !isLayout(edge.source) && !isLayout(edge.target);
  if (direction !== "incoming") {
    for (const edge of graph.outgoing(object)) if (isIncluded(edge)) yield [edge, edge.target];
  }
  if (direction !== "outgoing") {
    for (const edge of graph.incoming(object)) if (isIncluded(edge)) yield [edge, edge.source];
  }
}
