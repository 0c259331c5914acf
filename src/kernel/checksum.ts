import { crc32 } from "node:zlib";

/** CRC-32: tells what a disk has changed, and costs about a nanosecond for each byte. */
export const checksumOf = (content: string | Uint8Array, seed = 0): number =>
  // Of an empty view zlib gives the seed or 0, as its memory happens to be.
  content.length === 0 ? seed >>> 0 : crc32(content, seed >>> 0);

/** Of values as they are kept in a row. A lone half of a letter is kept as U+FFFD. */
export const checksumOfRow = (values: readonly unknown[]): number =>
  checksumOf(JSON.stringify(values).toWellFormed());

/** Of rows in any order: the same rows give the same number. Their count is to be kept beside it. */
export const combined = (one: number, other: number): number => (one ^ other) >>> 0;
