/** How many of the items, which ascend, come first and fulfil the condition. */
export function countBelow<Item>(
  ascending: readonly Item[],
  isBelow: (item: Item, place: number) => boolean,
): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = ascending[middle];
    if (item !== undefined && isBelow(item, middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
