import { elementAt } from "../../../text/arrays/element-at.ts";
import { int32At, uint8At, uint16At } from "../../../text/arrays/typed-element-at.ts";
import { fieldBits, maxFrequency, type PostingColumns } from "./postings.ts";
import { type ByteWriter, maxVarintBytes, readVarint, writeBytes, writeVarint } from "./varint.ts";

/**
 * The encoded positions of one token: a row for each of its postings, in the same order.
 *
 * ```
 * the number of positions, if it is not the frequency in the body: see `isCounted`     varint
 * each position, as the difference to the last                                         varint
 * ```
 *
 * A position is the number of a word in its passage; words of other fields come after the body,
 * each field after a gap. Where the token is part of a name, rows have marks instead: position · 2,
 * plus 1 for a part.
 */
const isCounted = (fieldMask: number): boolean => fieldMask !== 0;

/** Rows of parts need their marks. Other marks are even, and half of each is stored. */
const unusedBits = (fieldMask: number): number => (fieldMask & fieldBits.part ? 0 : 1);

/**
 * Encodes a row: the ascending marks of one posting, as a list linked by `nexts` that ends with -1.
 * A row of up to three bytes, as most are, is returned as a number: the bytes, and their number in
 * the lowest two bits. A longer one goes to the writer, after its length, and its offset is returned
 * as a negative number. So sorting rows moves no bytes, and copying few. The caller ensures the
 * capacity: see `maxRowBytes`.
 */
export function packRow(
  writer: ByteWriter,
  fieldMask: number,
  marks: Int32Array,
  nexts: Int32Array,
  first: number,
): number {
  const { at: before, bytes } = writer;
  const start = before + lengthBytes;
  writer.at = start;
  if (isCounted(fieldMask)) writeVarint(writer, countLinks(nexts, first));
  const shift = unusedBits(fieldMask);
  let previous = 0;
  let left = maxFrequency;
  for (let at = first; at >= 0 && left > 0; at = int32At(nexts, at), left--) {
    const value = int32At(marks, at) >> shift;
    writeVarint(writer, value - previous);
    previous = value;
  }
  const length = writer.at - start;
  if (length <= maxPackedBytes) {
    writer.at = before;
    let packed = 0;
    for (let at = length - 1; at >= 0; at--) packed = (packed << 8) | uint8At(bytes, start + at);
    return (packed << 2) | length;
  }
  writeLength(bytes, start, length);
  return -start;
}

/** Writes a row of `packRow`. The caller ensures the capacity. */
export function copyPackedRow(writer: ByteWriter, bytes: Uint8Array, row: number): void {
  if (row < 0) {
    writeBytes(writer, bytes, -row, -row + readLength(bytes, -row));
    return;
  }
  let rest = row >> 2;
  for (let left = row & 3; left > 0; left--) {
    writer.bytes[writer.at++] = rest & 0xff;
    rest >>= 8;
  }
}

export const maxPackedBytes = 3;

/** The most that this many occurrences in this many rows take. */
export const maxRowBytes = (occurrences: number, rows: number): number =>
  occurrences * maxVarintBytes + rows * (maxVarintBytes + lengthBytes);

function countLinks(nexts: Int32Array, first: number): number {
  let count = 0;
  for (let at = first; at >= 0 && count < maxFrequency; at = int32At(nexts, at)) count++;
  return count;
}

/** A row has up to 65,535 positions. */
const lengthBytes = 3;

function writeLength(bytes: Uint8Array, row: number, length: number): void {
  bytes[row - 3] = length & 0xff;
  bytes[row - 2] = (length >> 8) & 0xff;
  bytes[row - 1] = length >> 16;
}

const readLength = (bytes: Uint8Array, row: number): number =>
  uint8At(bytes, row - 3) | (uint8At(bytes, row - 2) << 8) | (uint8At(bytes, row - 1) << 16);

/** The positions of one token in all segments. */
export interface TermPositions {
  /** The ascending marks of a row of the token's postings: position · 2, plus 1 for a part. */
  marksAt(row: number): number[];
  /** The ascending positions of a row, those of parts included. */
  positionsAt(row: number): number[];
  /** What the lists, and the offsets of rows, take in memory. */
  bytes: number;
}

/** `lists` are the lists of the same segments as those of the postings. */
export function openPositions(
  { stored }: PostingColumns,
  lists: readonly Uint8Array[],
): TermPositions {
  const offsets = lists.map((): Int32Array | undefined => undefined);
  const read = (row: number, shift: number): number[] => {
    const place = stored.ordinals ? int32At(stored.ordinals, row) : row;
    let number = 0;
    while ((stored.listEnds[number] ?? Number.POSITIVE_INFINITY) <= place) number++;
    const bytes = lists[number];
    if (!bytes) throw new RangeError("A posting has no positions.");
    const starts = offsets[number] ?? rowOffsets(stored, number, bytes, rowsPerOffset);
    offsets[number] = starts;
    const inList = place - (stored.listEnds[number - 1] ?? 0);
    const cursor = { at: int32At(starts, Math.floor(inList / rowsPerOffset)) };
    for (let before = place - (inList % rowsPerOffset); before < place; before++) {
      skipRow(bytes, cursor, stored, before);
    }
    return readRow(bytes, cursor, stored, place, shift);
  };
  const rows = stored.listEnds.at(-1) ?? 0;
  return {
    marksAt: (row) => read(row, 1),
    positionsAt: (row) => read(row, 0),
    bytes: lists.reduce(
      (sum, { length }) => sum + length,
      (Int32Array.BYTES_PER_ELEMENT * rows) / rowsPerOffset,
    ),
  };
}

/** For reading a few rows of many, the offset of each would take more memory than the rows. */
const rowsPerOffset = 16;

/** Where every `step`th row of a list begins. With a step of 1, where the last one ends follows. */
export function rowOffsets(
  stored: StoredPostings,
  listIndex: number,
  bytes: Uint8Array,
  step = 1,
): Int32Array {
  const first = stored.listEnds[listIndex - 1] ?? 0;
  const rows = elementAt(stored.listEnds, listIndex) - first;
  const { frequencies, fieldMasks } = stored;
  const offsets = new Int32Array(Math.floor(rows / step) + 1);
  let at = 0;
  for (let row = 0, next = 0; row < rows; row++) {
    if (next === row) {
      offsets[row / step] = at;
      next += step;
    }
    // As `skipRow`, which would make this loop twice as slow.
    let left = uint16At(frequencies, first + row);
    if (isCounted(uint8At(fieldMasks, first + row))) {
      left = uint8At(bytes, at++);
      if (left >= 128) {
        const cursor = { at: at - 1 };
        left = readVarint(bytes, cursor);
        at = cursor.at;
      }
    }
    while (left > 0) if (uint8At(bytes, at++) < 128) left--;
  }
  if (rows % step === 0) offsets[rows / step] = at;
  return offsets;
}

/** The last byte of a varint is below 128. */
function skipRow(
  bytes: Uint8Array,
  cursor: { at: number },
  stored: StoredPostings,
  row: number,
): void {
  for (let left = readCount(bytes, cursor, stored, row); left > 0; ) {
    if (uint8At(bytes, cursor.at++) < 128) left--;
  }
}

type StoredPostings = PostingColumns["stored"];

function readCount(
  bytes: Uint8Array,
  cursor: { at: number },
  { frequencies, fieldMasks }: StoredPostings,
  row: number,
): number {
  return isCounted(uint8At(fieldMasks, row))
    ? readVarint(bytes, cursor)
    : uint16At(frequencies, row);
}

/** The marks of a row with a shift of 1, its positions with 0. */
function readRow(
  bytes: Uint8Array,
  cursor: { at: number },
  stored: StoredPostings,
  row: number,
  shift: number,
): number[] {
  const values: number[] = [];
  const isMarked = unusedBits(uint8At(stored.fieldMasks, row)) === 0;
  let value = 0;
  for (let left = readCount(bytes, cursor, stored, row); left > 0; left--) {
    value += readVarint(bytes, cursor);
    values.push(isMarked ? value >> (1 - shift) : value << shift);
  }
  return values;
}
