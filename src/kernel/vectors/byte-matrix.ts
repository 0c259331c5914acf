/** A matrix of signed bytes, whose rows can be multiplied with a query. */
export interface ByteMatrix {
  /** Makes room for this many rows and preserves the existing ones. */
  reserve(count: number): void;
  write(row: number, bytes: Int8Array): void;
  /** Copies one row over another. */
  move(from: number, to: number): void;
  /**
   * The dot products of a query with `count` rows (at most `blockSize`) from `first` on. They are
   * integers, so the result is the same on all machines. The array is reused by the next call.
   */
  dotProducts(query: Int16Array, first: number, count: number): Int32Array;
}

/** Rows per call of `dotProducts`: few enough for the products to stay in the processor's cache. */
export const blockSize = 1024;
