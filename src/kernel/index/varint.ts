/** Bytes that are being written, and the place of the next one. */
export interface Written {
  bytes: Uint8Array;
  at: number;
}

export const nothingWritten = (): Written => ({ bytes: new Uint8Array(64), at: 0 });

/** What is written so far; it holds until more is written over it. */
export const writtenBytes = ({ bytes, at }: Written): Uint8Array => bytes.subarray(0, at);

/** Sees to it that so many more bytes can be written. */
export function makeRoom(written: Written, more: number): void {
  const needed = written.at + more;
  if (needed <= written.bytes.length) return;
  const larger = new Uint8Array(Math.max(needed, written.bytes.length * 2));
  larger.set(written.bytes.subarray(0, written.at));
  written.bytes = larger;
}

/** The most that one takes. */
export const longestVarint = 8;

/** Whole numbers in as few bytes as they need: seven bits each, the lowest first. */
export function writeVarint(written: Written, value: number): void {
  let rest = value;
  while (rest >= 128) {
    written.bytes[written.at++] = (rest % 128) | 128;
    rest = Math.floor(rest / 128);
  }
  written.bytes[written.at++] = rest;
}

/** Reads one and moves the place behind it. */
export function readVarint(bytes: Uint8Array, place: { at: number }): number {
  let byte = bytes[place.at++] ?? 0;
  let value = byte & 0x7f;
  for (let factor = 128; byte >= 128; factor *= 128) {
    byte = bytes[place.at++] ?? 0;
    value += (byte & 0x7f) * factor;
  }
  return value;
}
