import { crc32 } from "node:zlib";

/** CRC-32 detects corruption on disk, and takes about a nanosecond per byte. */
export const checksumOf = (content: string | Uint8Array, seed = 0): number =>
  // For an empty view, zlib returns either the seed or 0.
  content.length === 0 ? seed >>> 0 : crc32(content, seed >>> 0);

/** The checksum of the values of a row. A lone surrogate counts as U+FFFD, as SQLite stores it. */
export const checksumOfRow = (values: readonly unknown[]): number =>
  checksumOf(JSON.stringify(values).toWellFormed());

/** An order-independent checksum of rows. Store the row count with it. */
export const combineChecksums = (one: number, other: number): number => (one ^ other) >>> 0;
