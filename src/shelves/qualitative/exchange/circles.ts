import type { Losses } from "./losses.ts";

interface Standing {
  guid: string;
  name: string;
  parent: string | null;
}

/** Whatever stands below itself would never be reached from above, so it is put at the top. */
export function breakCircles(items: readonly Standing[], losses: Losses): void {
  const byGuid = new Map(items.map((item) => [item.guid, item]));
  const settled = new Set<Standing>();
  for (const item of items) {
    const way = new Set<Standing>();
    let next: Standing | undefined = item;
    while (next && !settled.has(next)) {
      way.add(next);
      const above: Standing | undefined = byGuid.get(next.parent ?? "");
      if (above && way.has(above)) {
        next.parent = null;
        losses.add("changed", "What stood below itself now stands at the top", next.name);
        break;
      }
      next = above;
    }
    for (const one of way) settled.add(one);
  }
}
