import { uint8At } from "../../../text/arrays/typed-element-at.ts";

/** A growing buffer. `at` is the position of the next byte. */
export interface ByteWriter {
  bytes: Uint8Array;
  at: number;
}

export const createByteWriter = (): ByteWriter => ({ bytes: new Uint8Array(64), at: 0 });

/** A view of the bytes written so far, valid until the buffer is written to again. */
export const writtenBytes = ({ bytes, at }: ByteWriter): Uint8Array => bytes.subarray(0, at);

/** Makes room for `more` bytes after the current position. */
export function ensureCapacity(writer: ByteWriter, more: number): void {
  const needed = writer.at + more;
  if (needed <= writer.bytes.length) return;
  const larger = new Uint8Array(Math.max(needed, writer.bytes.length * 2));
  larger.set(writer.bytes.subarray(0, writer.at));
  writer.bytes = larger;
}

/** Appends bytes. The caller ensures the capacity. */
export function writeBytes(
  writer: ByteWriter,
  bytes: Uint8Array,
  from = 0,
  to = bytes.length,
): void {
  if (to - from > maxCopiedBytes) {
    writer.bytes.set(bytes.subarray(from, to), writer.at);
    writer.at += to - from;
    return;
  }
  for (let at = from; at < to; at++) writer.bytes[writer.at++] = uint8At(bytes, at);
}

/** Up to this length a loop is faster than a call of `set`. Most lists are shorter. */
const maxCopiedBytes = 32;

/** The maximum length of a varint. */
export const maxVarintBytes = 8;

/** Below it, integer operations are exact, and faster than a division. */
const maxInt32 = 0x7fffffff;

/** Writes a non-negative integer as an LEB128 varint: seven bits per byte, the lowest first. */
export function writeVarint(writer: ByteWriter, value: number): void {
  let rest = value;
  while (rest > maxInt32) {
    writer.bytes[writer.at++] = (rest % 128) | 128;
    rest = Math.floor(rest / 128);
  }
  while (rest >= 128) {
    writer.bytes[writer.at++] = (rest & 127) | 128;
    rest >>>= 7;
  }
  writer.bytes[writer.at++] = rest;
}

/** Reads a varint and moves the cursor past it. */
export function readVarint(bytes: Uint8Array, cursor: { at: number }): number {
  let byte = uint8At(bytes, cursor.at++);
  // Most are of one byte.
  if (byte < 128) return byte;
  let value = byte & 0x7f;
  for (let factor = 128; byte >= 128; factor *= 128) {
    byte = uint8At(bytes, cursor.at++);
    value += (byte & 0x7f) * factor;
  }
  return value;
}
