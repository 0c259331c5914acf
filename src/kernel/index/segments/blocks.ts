import { elementAt } from "../../../text/arrays/element-at.ts";
import { type ListColumn, startOfList } from "./list-column.ts";
import {
  type ByteWriter,
  createByteWriter,
  ensureCapacity,
  maxVarintBytes,
  readVarint,
  writeBytes,
  writeVarint,
  writtenBytes,
} from "./varint.ts";

/**
 * An entry of a block, which packs terms and their posting lists. Most terms are rare and have a
 * list of a few bytes: a row for each would take more space than the rest of the index.
 *
 * ```
 * length of the term, the term in UTF-8, length of the list, the list; repeated for each entry
 * ```
 */
export interface BlockEntry {
  term: string;
  list: Uint8Array;
}

/**
 * Encodes some of the terms and lists, given by their numbers. The encoded entries are a view of the
 * writer's buffer, which the next block may use again.
 */
export function encodeBlock(
  terms: readonly string[],
  lists: ListColumn,
  numbers: readonly number[],
  block: ByteWriter = createByteWriter(),
): Uint8Array {
  block.at = 0;
  for (const number of numbers) {
    const term = elementAt(terms, number);
    ensureCapacity(block, maxVarintBytes + 3 * term.length);
    writeTerm(block, term);
    writeList(block, lists, number);
  }
  return writtenBytes(block);
}

function writeList(block: ByteWriter, lists: ListColumn, number: number): void {
  const start = startOfList(lists, number);
  const end = elementAt(lists.ends, number);
  ensureCapacity(block, maxVarintBytes + end - start);
  writeVarint(block, end - start);
  writeBytes(block, lists.writer.bytes, start, end);
}

/** Writes ASCII characters directly, because most terms are short and ASCII; else encodes the term. */
function writeTerm(block: ByteWriter, term: string): void {
  const { at: start } = block;
  writeVarint(block, term.length);
  for (let index = 0; index < term.length; index++) {
    const code = term.charCodeAt(index);
    if (code >= 0x80) {
      const encoded = Buffer.from(term);
      block.at = start;
      writeVarint(block, encoded.length);
      block.bytes.set(encoded, block.at);
      block.at += encoded.length;
      return;
    }
    block.bytes[block.at++] = code;
  }
}

/** The posting list of a term, and the place of its entry, if the block contains it. */
export function findPostingList(
  block: Uint8Array,
  term: string,
): { list: Uint8Array; index: number } | undefined {
  const termBytes = Buffer.from(term);
  const cursor = { at: 0 };
  for (let index = 0; cursor.at < block.length; index++) {
    const termLength = readVarint(block, cursor);
    const isMatch = termLength === termBytes.length && startsAt(block, cursor.at, termBytes);
    cursor.at += termLength;
    const listLength = readVarint(block, cursor);
    if (isMatch) return { list: block.subarray(cursor.at, cursor.at + listLength), index };
    cursor.at += listLength;
  }
  return undefined;
}

export function* readBlockEntries(block: Uint8Array): Generator<BlockEntry> {
  const text = Buffer.from(block.buffer, block.byteOffset, block.length);
  const cursor = { at: 0 };
  while (cursor.at < block.length) {
    const length = readVarint(block, cursor);
    const { at: start } = cursor;
    cursor.at += length;
    yield { term: text.toString("utf8", start, cursor.at), list: readSlice(block, cursor) };
  }
}

/** Calls back with each term of two blocks of a bucket and the places of its lists in them. */
export function forEachEntry(
  block: { postings: Uint8Array; positions: Uint8Array },
  onEntry: (
    term: string,
    start: number,
    end: number,
    positionsStart: number,
    positionsEnd: number,
  ) => void,
): void {
  const { postings, positions } = block;
  const text = Buffer.from(postings.buffer, postings.byteOffset, postings.length);
  const cursor = { at: 0 };
  const positionsCursor = { at: 0 };
  while (cursor.at < postings.length) {
    const termEnd = readVarint(postings, cursor) + cursor.at;
    const term = text.toString("utf8", cursor.at, termEnd);
    cursor.at = termEnd;
    const end = readVarint(postings, cursor) + cursor.at;
    const positionsEnd = readVarint(positions, positionsCursor) + positionsCursor.at;
    onEntry(term, cursor.at, end, positionsCursor.at, positionsEnd);
    cursor.at = end;
    positionsCursor.at = positionsEnd;
  }
}

/**
 * A block of lists alone, in the order of the entries of another block: with the terms, positions
 * would take half as much space again.
 *
 * ```
 * length of the list, the list; repeated for each entry of the block of postings
 * ```
 */
export function encodeLists(
  lists: ListColumn,
  numbers: readonly number[],
  block: ByteWriter = createByteWriter(),
): Uint8Array {
  block.at = 0;
  for (const number of numbers) writeList(block, lists, number);
  return writtenBytes(block);
}

/** The list of the entry with an index. */
export function findList(block: Uint8Array, index: number): Uint8Array {
  const cursor = { at: 0 };
  for (let before = 0; before < index; before++) {
    const length = readVarint(block, cursor);
    cursor.at += length;
  }
  return readSlice(block, cursor);
}

function readSlice(block: Uint8Array, cursor: { at: number }): Uint8Array {
  const length = readVarint(block, cursor);
  cursor.at += length;
  return block.subarray(cursor.at - length, cursor.at);
}

function startsAt(block: Uint8Array, at: number, prefix: Uint8Array): boolean {
  for (let offset = 0; offset < prefix.length; offset++) {
    if (block[at + offset] !== prefix[offset]) return false;
  }
  return true;
}

/**
 * The bucket of a hash; the number of buckets is a power of two. Each bucket is a range of hashes, so
 * segments with different numbers of buckets can be merged range by range.
 */
export const bucketOf = (hash: number, buckets: number): number =>
  Math.floor((hash * buckets) / hashes);

/** `bucketOf` in SQL, for a hash as parameter and a column `buckets`. */
export const bucketOfHash = "(CAST(? AS INTEGER) * buckets >> 31)";

/** The number of different hashes. */
const hashes = 2 ** 31;

/** FNV-1a over the term's UTF-16 code units: fast, and uniform enough for buckets. */
export function hashTerm(term: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < term.length; at++) {
    hash = Math.imul(hash ^ term.charCodeAt(at), 0x01000193);
  }
  return (hash ^ (hash >>> 15)) & 0x7fffffff;
}
