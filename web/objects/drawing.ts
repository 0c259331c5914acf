import { groupedBy } from "../../src/text/grouped.ts";

/** Boxes in columns that read from left to right, and arrows between them. */
export interface Drawing<Node> {
  nodes: { node: Node; x: number; y: number }[];
  arrows: Arrow[];
  width: number;
  height: number;
}

interface Corner {
  x: number;
  y: number;
}

interface Arrow {
  key: string;
  /** As the `d` of a path. */
  path: string;
  words: string;
  at: Corner;
}

export interface Connection {
  source: string;
  target: string;
  words: string;
}

export const box = { width: 152, height: 46 };

const gap = { across: 78, down: 18 };
const margin = 6;
/** How far an arrow over several columns bends aside, so that it passes by what stands between. */
const detour = 52;

/** Whoever has no column, or is connected with what is not among the nodes, is not drawn. */
export function drawn<Node extends { id: string }>(
  nodes: readonly Node[],
  connections: readonly Connection[],
  columns: ReadonlyMap<string, number>,
): Drawing<Node> {
  const known = new Map(nodes.map((node) => [node.id, node]));
  const kept = new Map([...columns].filter(([id]) => known.has(id)));
  const isDrawn = ({ source, target }: Connection): boolean => kept.has(source) && kept.has(target);
  const shown = joined(connections).filter(isDrawn);
  const places = placed(kept, shown);
  const corner = (id: string): Corner => places.at.get(id) ?? { x: 0, y: 0 };
  return {
    nodes: [...kept.keys()].flatMap((id) => {
      const node = known.get(id);
      return node ? { node, ...corner(id) } : [];
    }),
    arrows: shown.map(({ source, target, words }) => ({
      key: `${source}\n${target}`,
      words,
      ...curve(corner(source), corner(target)),
    })),
    width: places.width,
    height: places.height,
  };
}

/**
 * The columns around one thing, each of their members in the order in which it is met.
 *
 * ```
 * further    what leads    the start    where it    further
 * away       to it                      leads       away
 *  -2           -1             0           1           2
 * ```
 * Whoever is further away stands on the side of the neighbour that it was reached by.
 */
export function columnsAround(
  start: string,
  connections: readonly Connection[],
): Map<string, number> {
  const columns = new Map([[start, 0]]);
  // A map goes on over what is added while it is walked, so this ends with the last one met.
  for (const [id, column] of columns) {
    for (const { source, target } of connections) {
      const other = source === id ? target : target === id ? source : undefined;
      if (other === undefined || columns.has(other)) continue;
      columns.set(other, column + (column === 0 ? (source === id ? 1 : -1) : Math.sign(column)));
    }
  }
  return columns;
}

/** Columns in which every arrow points to the right, as far as there is no circle. */
export function columnsInTurn(connections: readonly Connection[]): Map<string, number> {
  const columns = new Map(
    connections.flatMap(({ source, target }) => [source, target]).map((id) => [id, 0]),
  );
  for (let pass = 0, isMoved = true; isMoved && pass < columns.size; pass++) {
    isMoved = false;
    for (const { source, target } of connections) {
      const wanted = (columns.get(source) ?? 0) + 1;
      if (source === target || (columns.get(target) ?? 0) >= wanted) continue;
      columns.set(target, wanted);
      isMoved = true;
    }
  }
  return columns;
}

function placed(columns: ReadonlyMap<string, number>, arrows: readonly Connection[]) {
  const members = groupedBy(columns.keys(), (id) => columns.get(id));
  const order = [...members.keys()].sort((a, b) => a - b);
  const tallest = Math.max(1, ...[...members.values()].map((ids) => ids.length));
  const step = { x: box.width + gap.across, y: box.height + gap.down };
  const spans = arrows.map(({ source, target }) =>
    Math.abs((columns.get(source) ?? 0) - (columns.get(target) ?? 0)),
  );
  const above = margin + (spans.some((span) => span > 1) ? detour / 2 : 0);
  // What stands in one column is connected around its right side.
  const beside = spans.includes(0) ? gap.across / 2 : 0;
  const at = new Map<string, Corner>();
  for (const [index, column] of order.entries()) {
    const ids = members.get(column) ?? [];
    const top = above + ((tallest - ids.length) * step.y) / 2;
    for (const [row, id] of ids.entries()) {
      at.set(id, { x: margin + index * step.x, y: top + row * step.y });
    }
  }
  return {
    at,
    width: 2 * margin + Math.max(order.length, 1) * step.x - gap.across + beside,
    height: 2 * above + tallest * step.y - gap.down,
  };
}

/** One arrow for all that one says of another; what it says of itself has none. */
function joined(connections: readonly Connection[]): Connection[] {
  const byEnds = new Map<string, Connection>();
  for (const { source, target, words } of connections) {
    if (source === target) continue;
    const key = `${source}\n${target}`;
    const before = byEnds.get(key)?.words.split(", ") ?? [];
    byEnds.set(key, { source, target, words: [...new Set([...before, words])].join(", ") });
  }
  return [...byEnds.values()];
}

function curve(source: Corner, target: Corner): Pick<Arrow, "path" | "at"> {
  const middle = box.height / 2;
  const [y1, y2] = [source.y + middle, target.y + middle];
  if (source.x === target.x) {
    const x = source.x + box.width;
    const out = x + gap.across / 2;
    return {
      path: `M${x} ${y1}C${out} ${y1} ${out} ${y2} ${x} ${y2}`,
      at: { x: x + gap.across / 4, y: (y1 + y2) / 2 },
    };
  }
  const isRight = target.x > source.x;
  const x1 = source.x + (isRight ? box.width : 0);
  const x2 = target.x + (isRight ? 0 : box.width);
  const bend = (x2 - x1) / 2;
  const isFar = Math.abs(x2 - x1) > gap.across;
  const aside = isFar ? (y1 < y2 ? -detour : detour) : 0;
  return {
    path: `M${x1} ${y1}C${x1 + bend} ${y1 + aside} ${x2 - bend} ${y2 + aside} ${x2} ${y2}`,
    // A curve of this sort goes three quarters of the way to the points that bend it.
    at: { x: (x1 + x2) / 2, y: (y1 + y2) / 2 + aside * 0.75 },
  };
}
