import { uint8At } from "../../../text/arrays/typed-element-at.ts";
import { createListCache } from "../../index/segments/list-cache.ts";
import type { TermPositions } from "../../index/segments/positions.ts";
import {
  fieldBits,
  maxPostingBytes,
  type PostingColumns,
  sizeOfPostings,
  writePosting,
} from "../../index/segments/postings.ts";
import {
  createByteWriter,
  ensureCapacity,
  readVarint,
  writtenBytes,
} from "../../index/segments/varint.ts";

/**
 * Lists that were read, by segment and term, encoded. A segment never changes, so they are valid as
 * long as it exists. An empty list means that the segment does not have the term.
 */
export type SegmentLists = ReturnType<typeof createSegmentLists>;

export function createSegmentLists() {
  const sizeOf = ({ length }: Uint8Array): number => length + bytesPerEntry;
  return {
    postings: createListCache<Uint8Array>(64 * mebibyte, sizeOf),
    /** The postings with the term in the title or headings. */
    titled: createListCache<Uint8Array>(16 * mebibyte, sizeOf),
    positions: createListCache<Uint8Array>(64 * mebibyte, sizeOf),
    /** Decoded, by the stamp of the state and term. */
    decoded: createListCache<PostingColumns>(32 * mebibyte, sizeOfPostings),
    decodedTitled: createListCache<PostingColumns>(8 * mebibyte, sizeOfPostings),
    decodedPositions: createListCache<TermPositions>(16 * mebibyte, ({ bytes }) => bytes),
  };
}

const mebibyte = 1024 * 1024;

/** An entry of the cache takes about as much besides its bytes. */
const bytesPerEntry = 200;

export const listKey = (table: number, segment: number, term: string): string =>
  `${table} ${segment} ${term}`;

export const noList = new Uint8Array(0);

/** Only the postings with the token in the title or headings, encoded in the same way. */
export function titledList(list: Uint8Array): Uint8Array {
  const writer = createByteWriter();
  const cursor = { at: 0 };
  let passage = 0;
  let previous = 0;
  while (cursor.at < list.length) {
    passage += readVarint(list, cursor);
    const value = readVarint(list, cursor);
    const scale = uint8At(list, cursor.at++);
    if ((value & (fieldBits.title | fieldBits.headings)) === 0) continue;
    ensureCapacity(writer, maxPostingBytes);
    writePosting(writer, passage - previous, value, scale);
    previous = passage;
  }
  return writtenBytes(writer).slice();
}
