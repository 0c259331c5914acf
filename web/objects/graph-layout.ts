import { groupBy } from "../../src/text/arrays/group-by.ts";

/** Boxes in columns from left to right, and the arrows between them. */
export interface GraphLayout<Node> {
  nodes: { node: Node; x: number; y: number }[];
  arrows: Arrow[];
  width: number;
  height: number;
}

interface Point {
  x: number;
  y: number;
}

interface Arrow {
  key: string;
  /** The `d` attribute of the path. */
  path: string;
  label: string;
  at: Point;
}

export interface Connection {
  source: string;
  target: string;
  label: string;
}

export const nodeSize = { width: 152, height: 46 };

const gap = { across: 78, down: 18 };
const margin = 6;
/** How far an arrow across several columns bends, to pass the boxes between. */
const detour = 52;

/** Lays out the nodes that have a column, and the connections between them. */
export function layoutGraph<Node extends { id: string }>(
  nodes: readonly Node[],
  connections: readonly Connection[],
  columns: ReadonlyMap<string, number>,
): GraphLayout<Node> {
  const nodesById = new Map(nodes.map((node) => [node.id, node]));
  const placed = new Map([...columns].filter(([id]) => nodesById.has(id)));
  const isPlaced = ({ source, target }: Connection): boolean =>
    placed.has(source) && placed.has(target);
  const arrows = mergeParallel(connections).filter(isPlaced);
  const layout = layoutColumns(placed, arrows);
  const corner = (id: string): Point => layout.corners.get(id) ?? { x: 0, y: 0 };
  return {
    nodes: [...placed.keys()].flatMap((id) => {
      const node = nodesById.get(id);
      return node ? { node, ...corner(id) } : [];
    }),
    arrows: arrows.map(({ source, target, label }) => ({
      key: `${source}\n${target}`,
      label,
      ...curve(corner(source), corner(target)),
    })),
    width: layout.width,
    height: layout.height,
  };
}

/**
 * Assigns columns around a start node by breadth-first search.
 *
 * ```
 * further    incoming    start    outgoing    further
 *   -2          -1         0          1           2
 * ```
 * A node further away is on the side of the neighbour that reached it first.
 */
export function columnsAround(
  start: string,
  connections: readonly Connection[],
): Map<string, number> {
  const columns = new Map([[start, 0]]);
  // A Map iterates over entries that are added during the loop, so it serves as the queue.
  for (const [id, column] of columns) {
    for (const { source, target } of connections) {
      const neighbour = source === id ? target : target === id ? source : undefined;
      if (neighbour === undefined || columns.has(neighbour)) continue;
      const step = column === 0 ? (source === id ? 1 : -1) : Math.sign(column);
      columns.set(neighbour, column + step);
    }
  }
  return columns;
}

/** Columns by longest path, so that every arrow points right. With cycles the passes are bounded. */
export function layeredColumns(connections: readonly Connection[]): Map<string, number> {
  const columns = new Map(
    connections.flatMap(({ source, target }) => [source, target]).map((id) => [id, 0]),
  );
  for (let pass = 0, isMoved = true; isMoved && pass < columns.size; pass++) {
    isMoved = false;
    for (const { source, target } of connections) {
      const minColumn = (columns.get(source) ?? 0) + 1;
      if (source === target || (columns.get(target) ?? 0) >= minColumn) continue;
      columns.set(target, minColumn);
      isMoved = true;
    }
  }
  return columns;
}

function layoutColumns(columns: ReadonlyMap<string, number>, arrows: readonly Connection[]) {
  const members = groupBy(columns.keys(), (id) => columns.get(id));
  const order = [...members.keys()].sort((a, b) => a - b);
  const tallest = Math.max(1, ...[...members.values()].map((ids) => ids.length));
  const step = { x: nodeSize.width + gap.across, y: nodeSize.height + gap.down };
  const spans = arrows.map(({ source, target }) =>
    Math.abs((columns.get(source) ?? 0) - (columns.get(target) ?? 0)),
  );
  const marginTop = margin + (spans.some((span) => span > 1) ? detour / 2 : 0);
  // Arrows within a column bend around its right side.
  const rightSpace = spans.includes(0) ? gap.across / 2 : 0;
  const corners = new Map<string, Point>();
  for (const [index, column] of order.entries()) {
    const ids = members.get(column) ?? [];
    const top = marginTop + ((tallest - ids.length) * step.y) / 2;
    for (const [row, id] of ids.entries()) {
      corners.set(id, { x: margin + index * step.x, y: top + row * step.y });
    }
  }
  return {
    corners,
    width: 2 * margin + Math.max(order.length, 1) * step.x - gap.across + rightSpace,
    height: 2 * marginTop + tallest * step.y - gap.down,
  };
}

/** Merges connections with the same ends into one arrow. Self-references have no arrow. */
function mergeParallel(connections: readonly Connection[]): Connection[] {
  const byEnds = new Map<string, Connection>();
  for (const { source, target, label } of connections) {
    if (source === target) continue;
    const key = `${source}\n${target}`;
    const labels = byEnds.get(key)?.label.split(", ") ?? [];
    byEnds.set(key, { source, target, label: [...new Set([...labels, label])].join(", ") });
  }
  return [...byEnds.values()];
}

function curve(source: Point, target: Point): Pick<Arrow, "path" | "at"> {
  const middle = nodeSize.height / 2;
  const [y1, y2] = [source.y + middle, target.y + middle];
  if (source.x === target.x) {
    const x = source.x + nodeSize.width;
    const out = x + gap.across / 2;
    return {
      path: `M${x} ${y1}C${out} ${y1} ${out} ${y2} ${x} ${y2}`,
      at: { x: x + gap.across / 4, y: (y1 + y2) / 2 },
    };
  }
  const isRight = target.x > source.x;
  const x1 = source.x + (isRight ? nodeSize.width : 0);
  const x2 = target.x + (isRight ? 0 : nodeSize.width);
  const bend = (x2 - x1) / 2;
  const isFar = Math.abs(x2 - x1) > gap.across;
  const aside = isFar ? (y1 < y2 ? -detour : detour) : 0;
  return {
    path: `M${x1} ${y1}C${x1 + bend} ${y1 + aside} ${x2 - bend} ${y2 + aside} ${x2} ${y2}`,
    // The middle of a cubic Bézier curve is three quarters of the way to its control points.
    at: { x: (x1 + x2) / 2, y: (y1 + y2) / 2 + aside * 0.75 },
  };
}
