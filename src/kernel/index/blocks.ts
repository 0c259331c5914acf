import {
  longestVarint,
  makeRoom,
  nothingWritten,
  readVarint,
  type Written,
  writeVarint,
  writtenBytes,
} from "./varint.ts";

/**
 * Terms with their lists, packed together. Most terms are rare and have a list of a few bytes: a
 * row for each would cost more than all the rest of the index.
 *
 * ```
 * length of the term, the term in UTF-8, length of the list, the list; and so on
 * ```
 */
export interface BlockEntry {
  term: string;
  list: Uint8Array;
}

export function packBlock(entries: readonly BlockEntry[]): Uint8Array {
  const block = nothingWritten();
  let most = 0;
  for (const { term, list } of entries) most += 2 * longestVarint + 3 * term.length + list.length;
  makeRoom(block, most);
  for (const { term, list } of entries) {
    writeName(block, term);
    writeVarint(block, list.length);
    block.bytes.set(list, block.at);
    block.at += list.length;
  }
  return writtenBytes(block);
}

/** Nearly all are short and plain, and have as many bytes as letters. */
function writeName(block: Written, term: string): void {
  const { at: start } = block;
  writeVarint(block, term.length);
  for (let place = 0; place < term.length; place++) {
    const code = term.charCodeAt(place);
    if (code >= 0x80) {
      const name = Buffer.from(term);
      block.at = start;
      writeVarint(block, name.length);
      block.bytes.set(name, block.at);
      block.at += name.length;
      return;
    }
    block.bytes[block.at++] = code;
  }
}

/** The list of one term, or nothing where the block does not have it. */
export function listIn(block: Uint8Array, term: string): Uint8Array | undefined {
  const wanted = Buffer.from(term);
  const place = { at: 0 };
  while (place.at < block.length) {
    const nameLength = readVarint(block, place);
    const isIt = nameLength === wanted.length && startsAt(block, place.at, wanted);
    place.at += nameLength;
    const listLength = readVarint(block, place);
    if (isIt) return block.subarray(place.at, place.at + listLength);
    place.at += listLength;
  }
  return undefined;
}

export function* entriesOf(block: Uint8Array): Generator<BlockEntry> {
  const place = { at: 0 };
  const slice = (): Uint8Array => {
    const length = readVarint(block, place);
    place.at += length;
    return block.subarray(place.at - length, place.at);
  };
  while (place.at < block.length) {
    const term = Buffer.from(slice()).toString();
    yield { term, list: slice() };
  }
}

function startsAt(block: Uint8Array, at: number, wanted: Uint8Array): boolean {
  for (let offset = 0; offset < wanted.length; offset++) {
    if (block[at + offset] !== wanted[offset]) return false;
  }
  return true;
}

/** The bucket of a term among a power of two of them. */
export const bucketOf = (hash: number, buckets: number): number => hash & (buckets - 1);

/** FNV-1a over the term's UTF-16 units: quick, and even enough for buckets. */
export function hashOfTerm(term: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < term.length; at++) {
    hash = Math.imul(hash ^ term.charCodeAt(at), 0x01000193);
  }
  return (hash ^ (hash >>> 15)) & 0x7fffffff;
}
