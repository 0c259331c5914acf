/**
 * `elementAt` for hot loops, with one function per array type: V8 records the argument types of a
 * function, and one that is called with many types is several times slower.
 */
export function uint8At(items: Uint8Array, index: number): number {
  const item = items[index];
  if (item === undefined) throw outOfRange(items, index);
  return item;
}

export function uint16At(items: Uint16Array, index: number): number {
  const item = items[index];
  if (item === undefined) throw outOfRange(items, index);
  return item;
}

export function int32At(items: Int32Array, index: number): number {
  const item = items[index];
  if (item === undefined) throw outOfRange(items, index);
  return item;
}

export function uint32At(items: Uint32Array, index: number): number {
  const item = items[index];
  if (item === undefined) throw outOfRange(items, index);
  return item;
}

export function float32At(items: Float32Array, index: number): number {
  const item = items[index];
  if (item === undefined) throw outOfRange(items, index);
  return item;
}

export function float64At(items: Float64Array, index: number): number {
  const item = items[index];
  if (item === undefined) throw outOfRange(items, index);
  return item;
}

/** For integers that seldom need more than 32 bits. */
export function integerAt(items: Uint32Array | Float64Array, index: number): number {
  const item = items[index];
  if (item === undefined) throw outOfRange(items, index);
  return item;
}

/** For plain arrays of numbers, in which V8 stores small integers as integers. */
export function numberAt(items: readonly number[], index: number): number {
  const item = items[index];
  if (item === undefined) throw outOfRange(items, index);
  return item;
}

const outOfRange = ({ length }: ArrayLike<number>, index: number): RangeError =>
  new RangeError(`Index ${index} is outside 0..${length - 1}.`);
