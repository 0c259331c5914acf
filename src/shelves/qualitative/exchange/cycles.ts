import type { LossReport } from "./losses.ts";

interface NestedItem {
  guid: string;
  name: string;
  parent: string | null;
}

/**
 * Breaks each cycle by moving one item to the top level; a traversal from the top would miss a
 * cycle.
 */
export function breakCycles(items: readonly NestedItem[], losses: LossReport): void {
  const byGuid = new Map(items.map((item) => [item.guid, item]));
  const checked = new Set<NestedItem>();
  for (const item of items) {
    const path = new Set<NestedItem>();
    let next: NestedItem | undefined = item;
    while (next && !checked.has(next)) {
      path.add(next);
      const parent: NestedItem | undefined = byGuid.get(next.parent ?? "");
      if (parent && path.has(parent)) {
        next.parent = null;
        losses.add("changed", "Items in a cycle, moved to the top level", next.name);
        break;
      }
      next = parent;
    }
    for (const visited of path) checked.add(visited);
  }
}
