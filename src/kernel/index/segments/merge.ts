import { elementAt } from "../../../text/arrays/element-at.ts";
import { int32At, integerAt, uint8At, uint16At } from "../../../text/arrays/typed-element-at.ts";
import { bucketOf, hashTerm } from "./blocks.ts";
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
import type { BuiltSegment, SegmentEntry } from "./segment-builder.ts";
import { type ByteWriter, createByteWriter, writtenBytes } from "./varint.ts";

/** A segment to be merged. */
export interface MergeSource {
  buckets: number;
  postings: number;
  /** The entries of buckets `from` to `to - 1`. */
  entriesIn(from: number, to: number): Iterable<SegmentEntry>;
}

/** The lists of one term in several segments, in their order. */
interface TermLists {
  postings: Uint8Array[];
  positions: Uint8Array[];
}

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
): BuiltSegment {
  const merged: BuiltSegment = { entries: [], postings: 0 };
  const writer = createByteWriter();
  for (const [term, lists] of collectLists(sources, range, ranges)) {
    const { list, positions, count } =
      removed.size === 0 ? joinLists(lists, writer) : remainingLists(lists, removed);
    if (count === 0) continue;
    merged.entries.push({ term, list, positions });
    merged.postings += count;
  }
  return merged;
}

/** The lists of a term as one. */
interface MergedLists {
  list: Uint8Array;
  positions: Uint8Array;
  count: number;
}

/** Without removed passages, nothing needs to be decoded. */
function joinLists({ postings, positions }: TermLists, writer: ByteWriter): MergedLists {
  writer.at = 0;
  let count = 0;
  let previous = 0;
  for (const list of postings) {
    const appended = appendPostingList(writer, list, previous);
    previous = appended.last;
    count += appended.count;
  }
  return { list: writtenBytes(writer).slice(), positions: Buffer.concat(positions), count };
}

function remainingLists(lists: TermLists, removed: ReadonlySet<number>): MergedLists {
  const columns = readPostings(lists.postings, removed);
  const positions = remainingPositions(columns, lists.positions);
  return { list: encodeColumns(columns), positions, count: columns.count };
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

/** Groups the entries of a range by term. A segment with fewer buckets is read several times. */
function collectLists(
  sources: readonly MergeSource[],
  range: number,
  ranges: number,
): Map<string, TermLists> {
  const byTerm = new Map<string, TermLists>();
  for (const { buckets, entriesIn } of sources) {
    const from = Math.floor((range * buckets) / ranges);
    const to = Math.ceil(((range + 1) * buckets) / ranges);
    for (const { term, list, positions } of entriesIn(from, to)) {
      if (buckets < ranges && bucketOf(hashTerm(term), ranges) !== range) continue;
      const lists = byTerm.get(term);
      if (lists) {
        lists.postings.push(list);
        lists.positions.push(positions);
      } else {
        byTerm.set(term, { postings: [list], positions: [positions] });
      }
    }
  }
  return byTerm;
}
