/** Topological order: each item after its parent. */
export function sortParentsFirst<Item extends { guid: string; parent: string | null }>(
  items: readonly Item[],
): Item[] {
  const byGuid = new Map(items.map((item) => [item.guid, item]));
  const ordered = new Set<Item>();
  for (const item of items) {
    const ancestors: Item[] = [];
    let next: Item | undefined = item;
    while (next && !ordered.has(next) && !ancestors.includes(next)) {
      ancestors.push(next);
      next = byGuid.get(next.parent ?? "");
    }
    for (const ancestor of ancestors.reverse()) ordered.add(ancestor);
  }
  return [...ordered];
}
