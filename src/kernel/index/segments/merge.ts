import { elementAt } from "../../../text/arrays/element-at.ts";
import { growColumn, type IntColumn } from "../../../text/arrays/growable-column.ts";
import { int32At, integerAt, uint8At, uint16At } from "../../../text/arrays/typed-element-at.ts";
import { bucketOf, forEachEntry, hashTerm } from "./blocks.ts";
import { clearListColumn, createListColumn, endList } from "./list-column.ts";
import { rowOffsets } from "./positions.ts";
import {
  addPosting,
  appendPostingList,
  createPostingList,
  encodePostingList,
  lengthOfScale,
  type PostingColumns,
  readPostings,
} from "./postings.ts";
import type { BuiltSegment } from "./segment-builder.ts";
import { type ByteWriter, ensureCapacity, writeBytes } from "./varint.ts";

/** A segment to be merged. */
export interface MergeSource {
  buckets: number;
  postings: number;
  /** The blocks of buckets `from` to `to - 1`. */
  blocksIn(from: number, to: number): readonly MergeBlock[];
}

/** The block of postings of a bucket, and that of positions: see `encodeBlock` and `encodeLists`. */
interface MergeBlock {
  postings: Uint8Array;
  positions: Uint8Array;
}

/** Buffers for the merged lists, which each range uses again. */
export type MergedLists = Pick<BuiltSegment, "postings" | "positions">;

export const createMergedLists = (): MergedLists => ({
  postings: createListColumn(),
  positions: createListColumn(),
});

/** A range takes a few times as many bytes. */
const postingsPerRange = 250_000;

/**
 * Into how many ranges of hashes the merged segments are divided, a power of two. Merged at once
 * they might not fit into memory.
 */
export function rangesToMerge(sources: readonly MergeSource[]): number {
  const postings = sources.reduce((sum, source) => sum + source.postings, 0);
  return 2 ** Math.max(0, Math.ceil(Math.log2(postings / postingsPerRange)));
}

/** The lists of one range of hashes in all segments as those of one, without removed passages. */
export function mergeRange(
  sources: readonly MergeSource[],
  range: number,
  ranges: number,
  removed: ReadonlySet<number>,
  lists = createMergedLists(),
): BuiltSegment {
  const { postings, positions } = lists;
  clearListColumn(postings);
  clearListColumn(positions);
  const terms: string[] = [];
  let count = 0;
  const collected = collectParts(sources, range, ranges);
  for (const [index, term] of collected.terms.entries()) {
    const first = elementAt(collected.firsts, index);
    const added =
      removed.size === 0
        ? joinParts(collected, first, lists)
        : addRemaining(collected, first, removed, lists);
    if (added === 0) continue;
    endList(postings);
    endList(positions);
    terms.push(term);
    count += added;
  }
  return { terms, postings, positions, count };
}

/** Without removed passages, nothing needs to be decoded. Returns the number of postings. */
function joinParts({ blocks, parts }: CollectedParts, first: number, lists: MergedLists): number {
  const { writer } = lists.positions;
  let count = 0;
  let previous = 0;
  for (let part = first; part >= 0; part = int32At(parts, part + column.next)) {
    const { postings, positions } = elementAt(blocks, int32At(parts, part + column.block));
    const end = int32At(parts, part + column.end);
    const appended = appendPostingList(
      lists.postings.writer,
      postings,
      int32At(parts, part + column.start),
      end,
      previous,
    );
    previous = appended.last;
    count += appended.count;
    const from = int32At(parts, part + column.positionsStart);
    const to = int32At(parts, part + column.positionsEnd);
    ensureCapacity(writer, to - from);
    writeBytes(writer, positions, from, to);
  }
  return count;
}

function addRemaining(
  { blocks, parts }: CollectedParts,
  first: number,
  removed: ReadonlySet<number>,
  lists: MergedLists,
): number {
  const postings: Uint8Array[] = [];
  const positions: Uint8Array[] = [];
  for (let part = first; part >= 0; part = int32At(parts, part + column.next)) {
    const [, start, end, positionsStart, positionsEnd] = parts.subarray(part, part + partSize);
    const block = elementAt(blocks, int32At(parts, part + column.block));
    postings.push(block.postings.subarray(start, end));
    positions.push(block.positions.subarray(positionsStart, positionsEnd));
  }
  const columns = readPostings(postings, removed);
  if (columns.count === 0) return 0;
  append(lists.postings.writer, encodeColumns(columns));
  append(lists.positions.writer, remainingPositions(columns, positions));
  return columns.count;
}

function append(writer: ByteWriter, bytes: Uint8Array): void {
  ensureCapacity(writer, bytes.length);
  writeBytes(writer, bytes);
}

function encodeColumns(columns: PostingColumns): Uint8Array {
  const { count, passages, frequencies, fieldMasks, scales } = columns;
  const list = createPostingList();
  for (let row = 0; row < count; row++) {
    addPosting(
      list,
      integerAt(passages, row),
      uint16At(frequencies, row),
      uint8At(fieldMasks, row),
      lengthOfScale(uint8At(scales, row)),
    );
  }
  return encodePostingList(list);
}

function remainingPositions({ stored }: PostingColumns, lists: readonly Uint8Array[]): Uint8Array {
  const { ordinals } = stored;
  if (!ordinals) return Buffer.concat(lists);
  const rows: Uint8Array[] = [];
  for (const [index, list] of lists.entries()) {
    const first = stored.listEnds[index - 1] ?? 0;
    const offsets = rowOffsets(stored, index, list);
    while (
      (ordinals[rows.length] ?? Number.POSITIVE_INFINITY) < elementAt(stored.listEnds, index)
    ) {
      const row = int32At(ordinals, rows.length) - first;
      rows.push(list.subarray(int32At(offsets, row), int32At(offsets, row + 1)));
    }
  }
  return Buffer.concat(rows);
}

/**
 * Where the lists of each term are. The parts of a term are linked in the order of their segments,
 * as numbers: objects for all of them would take longer to collect than the lists to join.
 */
interface CollectedParts {
  blocks: readonly MergeBlock[];
  /** A row per part. */
  parts: IntColumn;
  terms: string[];
  /** By term: its first part. */
  firsts: number[];
}

/** The columns of a part: its block, its places in it, and the next part of the term, or -1. */
const column = { block: 0, start: 1, end: 2, positionsStart: 3, positionsEnd: 4, next: 5 } as const;
const partSize = 6;

/** Groups the lists of a range by term. A segment with fewer buckets is read several times. */
function collectParts(
  sources: readonly MergeSource[],
  range: number,
  ranges: number,
): CollectedParts {
  const blocks: MergeBlock[] = [];
  let parts: IntColumn = new Int32Array(0);
  let size = 0;
  const indexByTerm = new Map<string, number>();
  const firsts: number[] = [];
  const lasts: number[] = [];
  for (const { buckets, blocksIn } of sources) {
    const from = Math.floor((range * buckets) / ranges);
    const to = Math.ceil(((range + 1) * buckets) / ranges);
    for (const block of blocksIn(from, to)) {
      const number = blocks.push(block) - 1;
      forEachEntry(block, (term, start, end, positionsStart, positionsEnd) => {
        if (buckets < ranges && bucketOf(hashTerm(term), ranges) !== range) return;
        parts = growColumn(parts, size + partSize);
        parts[size + column.block] = number;
        parts[size + column.start] = start;
        parts[size + column.end] = end;
        parts[size + column.positionsStart] = positionsStart;
        parts[size + column.positionsEnd] = positionsEnd;
        parts[size + column.next] = -1;
        const index = indexByTerm.get(term);
        if (index === undefined) {
          indexByTerm.set(term, firsts.push(size) - 1);
          lasts.push(size);
        } else {
          parts[elementAt(lasts, index) + column.next] = size;
          lasts[index] = size;
        }
        size += partSize;
      });
    }
  }
  return { blocks, parts, terms: [...indexByTerm.keys()], firsts };
}
