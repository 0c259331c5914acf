/** Rows of signed bytes, all of one width, and what they give when multiplied with a query. */
export interface Rows {
  /** Makes room for this many; what is there stays. */
  reserve(count: number): void;
  write(place: number, bytes: Int8Array): void;
  /** Puts one row in the place of another. */
  move(from: number, to: number): void;
  /**
   * The products of a query with `count` rows, at most `block`, from `first` on. They are whole
   * numbers, so that every machine gives the same. They are good until the next call.
   */
  products(query: Int16Array, first: number, count: number): Int32Array;
}

/** How many products are made at once: few enough to stay in the processor's own memory. */
export const block = 1024;
