/** Numbers one behind the other, in memory of their own. */
type Column = Int32Array<ArrayBuffer>;

/** The same numbers with room for so many at least. Doubling makes growth rare, so it costs little. */
export function grown(column: Column, size: number): Column {
  if (size <= column.length) return column;
  const larger = new Int32Array(Math.max(size, column.length * 2));
  larger.set(column);
  return larger;
}
