import { elementAt } from "../../../text/arrays/element-at.ts";
import { blockId } from "../../index/integrity.ts";
import { encodeBlock, encodeLists } from "../../index/segments/blocks.ts";
import { termsByBucket } from "../../index/segments/buckets.ts";
import type { BuiltSegment } from "../../index/segments/segment-builder.ts";
import { createByteWriter } from "../../index/segments/varint.ts";
import { run, type Steps } from "../../storage/steps.ts";

/** Encoded blocks, one after the other: as many values would be as many parameters. */
export interface EncodedBlocks {
  postings: BlockColumn;
  positions: BlockColumn;
}

interface BlockColumn {
  parts: Uint8Array[];
  /** Where each block is, counted from 1 as in SQL. */
  places: { id: number; start: number; length: number }[];
  length: number;
}

/** Copies the blocks of one of several ranges of hashes: the buffers of the lists are used again. */
export function encodeRange(
  segment: { id: number; buckets: number },
  built: BuiltSegment,
  range: number,
  ranges: number,
): EncodedBlocks {
  const writer = createByteWriter();
  const blocks: EncodedBlocks = { postings: createColumn(), positions: createColumn() };
  const first = (range * segment.buckets) / ranges;
  for (const [index, numbers] of termsByBucket(built, segment.buckets, range, ranges).entries()) {
    const id = blockId(segment.id, first + index);
    add(blocks.postings, id, encodeBlock(built.terms, built.postings, numbers, writer));
    add(blocks.positions, id, encodeLists(built.positions, numbers, writer));
  }
  return blocks;
}

const createColumn = (): BlockColumn => ({ parts: [], places: [], length: 0 });

function add(column: BlockColumn, id: number, block: Uint8Array): void {
  column.parts.push(block.slice());
  column.places.push({ id, start: column.length + 1, length: block.length });
  column.length += block.length;
}

/** So many bytes are written in one statement. */
const maxBytes = 16 * 1024 * 1024;

export function* writeBlocks(shelf: string, { postings, positions }: EncodedBlocks): Steps<void> {
  // Both columns have the same blocks.
  for (const [from, to] of slices(postings, positions)) {
    yield* run(
      `WITH postings AS (
         INSERT INTO ${shelf}_postings (id, block)
         SELECT id, substring(?2::bytea FROM start FOR length)
           FROM json_to_recordset(?1::json) AS part (id bigint, start int, length int))
       INSERT INTO ${shelf}_positions (id, block)
       SELECT id, substring(?4::bytea FROM start FOR length)
         FROM json_to_recordset(?3::json) AS part (id bigint, start int, length int)`,
      ...parametersOf(postings, from, to),
      ...parametersOf(positions, from, to),
    );
  }
}

function* slices(...columns: readonly BlockColumn[]): Generator<[from: number, to: number]> {
  const count = columns[0]?.parts.length ?? 0;
  let from = 0;
  let bytes = 0;
  for (let index = 0; index < count; index++) {
    const more = columns.reduce((sum, { parts }) => sum + elementAt(parts, index).length, 0);
    if (bytes + more > maxBytes && index > from) {
      yield [from, index];
      from = index;
      bytes = 0;
    }
    bytes += more;
  }
  if (from < count) yield [from, count];
}

function parametersOf(
  { parts, places }: BlockColumn,
  from: number,
  to: number,
): [places: string, bytes: Uint8Array] {
  const before = (places[from]?.start ?? 1) - 1;
  const own = places.slice(from, to).map((place) => ({ ...place, start: place.start - before }));
  return [JSON.stringify(own), Buffer.concat(parts.slice(from, to))];
}
