/** Each behind the one that it stands below, in whatever order a file has them. */
export function parentsFirst<Item extends { guid: string; parent: string | null }>(
  items: readonly Item[],
): Item[] {
  const byGuid = new Map(items.map((item) => [item.guid, item]));
  const ordered = new Set<Item>();
  for (const item of items) {
    const way: Item[] = [];
    let next: Item | undefined = item;
    while (next && !ordered.has(next) && !way.includes(next)) {
      way.push(next);
      next = byGuid.get(next.parent ?? "");
    }
    for (const one of way.reverse()) ordered.add(one);
  }
  return [...ordered];
}
