import { elementAt } from "./element-at.ts";

/** Binary search: the length of the prefix of a sorted array whose items satisfy `isBelow`. */
export function countBelow<Item>(
  ascending: readonly Item[],
  isBelow: (item: Item, index: number) => boolean,
): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBelow(elementAt(ascending, middle), middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
