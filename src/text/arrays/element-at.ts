/**
 * The element at an index that must exist. A wrong index is a bug, so it throws instead of returning
 * undefined.
 */
export function elementAt<Item>(items: ArrayLike<Item>, index: number): Item {
  const item = items[index];
  if (item === undefined) throw new RangeError(`Index ${index} is outside 0..${items.length - 1}.`);
  return item;
}
