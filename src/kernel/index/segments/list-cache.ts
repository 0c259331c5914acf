/** Decoded lists of recent queries: the least recently used ones make room for others. */
export interface ListCache<List> {
  get(term: string, read: () => List): List;
  find(term: string): List | undefined;
  add(term: string, list: List): void;
  clear(): void;
}

/** The last list is kept even if it alone takes more than `maxBytes`. */
export function createListCache<List>(
  maxBytes: number,
  sizeOf: (list: List) => number,
): ListCache<List> {
  // A map returns its entries in the order in which they were set.
  const lists = new Map<string, List>();
  let bytes = 0;

  function find(term: string): List | undefined {
    const known = lists.get(term);
    if (known === undefined) return undefined;
    lists.delete(term);
    lists.set(term, known);
    return known;
  }

  function add(term: string, list: List): void {
    const before = lists.get(term);
    if (before !== undefined) {
      lists.delete(term);
      bytes -= sizeOf(before);
    }
    lists.set(term, list);
    bytes += sizeOf(list);
    for (const [oldest, other] of lists) {
      if (bytes <= maxBytes || oldest === term) break;
      lists.delete(oldest);
      bytes -= sizeOf(other);
    }
  }

  return {
    find,
    add,
    get(term, read) {
      const known = find(term);
      if (known !== undefined) return known;
      const list = read();
      add(term, list);
      return list;
    },
    clear() {
      lists.clear();
      bytes = 0;
    },
  };
}
