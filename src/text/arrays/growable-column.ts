export type IntColumn = Int32Array<ArrayBuffer>;

/** UTF-16 units. */
export type UnitColumn = Uint16Array<ArrayBuffer>;

/** A column with room for at least `size` numbers. Doubling keeps the amortized cost constant. */
export function growColumn(column: IntColumn, size: number): IntColumn {
  if (size <= column.length) return column;
  const larger = new Int32Array(Math.max(size, column.length * 2));
  larger.set(column);
  return larger;
}

export function growUnits(column: UnitColumn, size: number): UnitColumn {
  if (size <= column.length) return column;
  const larger = new Uint16Array(Math.max(size, column.length * 2));
  larger.set(column);
  return larger;
}

/**
 * `elementAt` for hot loops over columns. It is called with one array type only, so V8 compiles it to
 * a direct load. `elementAt` is called with many types and is about twice as slow.
 */
export function columnAt(column: IntColumn, index: number): number {
  const value = column[index];
  if (value === undefined) throw new RangeError(`Index ${index} is outside the column.`);
  return value;
}
