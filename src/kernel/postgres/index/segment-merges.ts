import { elementAt } from "../../../text/arrays/element-at.ts";
import { blockId } from "../../index/integrity.ts";
import { bucketsFor } from "../../index/segments/buckets.ts";
import {
  createMergedLists,
  type MergeSource,
  mergeRange,
  rangesToMerge,
} from "../../index/segments/merge.ts";
import { all, get, run, type Steps } from "../../storage/steps.ts";
import { encodeRange, writeBlocks } from "./block-writes.ts";
import type { StoredSegment } from "./index-state.ts";

/** A read of a bucket is a part of a round trip, so a bucket is smaller than in SQLite. */
const termsPerBlock = 8;

/** Merges the given newest segments into one, without removed passages. Returns its terms. */
export function* mergeSegments(
  shelf: string,
  segments: readonly StoredSegment[],
  isWholeIndex: boolean,
): Steps<string[]> {
  const { firstPassage } = elementAt(segments, 0);
  const { id, removed } = yield* readRemoved(shelf, firstPassage);
  const lists = createMergedLists();
  const ranges = rangesToMerge(segments.map((segment) => ({ ...segment, blocksIn: () => [] })));
  const terms: string[] = [];
  let postings = 0;
  let buckets = 0;
  for (let range = 0; range < ranges; range++) {
    const sources = yield* readSources(shelf, segments, range, ranges);
    const part = mergeRange(sources, range, ranges, removed, lists);
    // Hashes are uniform, so all ranges have about as many terms as the first.
    buckets ||= Math.max(ranges, bucketsFor(part.terms.length * ranges, termsPerBlock));
    yield* writeBlocks(shelf, encodeRange({ id, buckets }, part, range, ranges));
    postings += part.count;
    for (const term of part.terms) terms.push(term);
  }
  yield* replaceSegments(
    shelf,
    { id, firstPassage, postings, buckets },
    segments,
    isWholeIndex ? 0 : firstPassage,
  );
  return terms;
}

function* readRemoved(
  shelf: string,
  first: number,
): Steps<{ id: number; removed: ReadonlySet<number> }> {
  const row = yield* get<{ id: number; removed: string }>(
    `SELECT nextval(pg_get_serial_sequence('${shelf}_segments', 'id')::regclass) AS id,
        (SELECT coalesce(json_agg(passage), '[]') FROM ${shelf}_removed WHERE passage >= ?)::text AS removed`,
    first,
  );
  const removed: number[] = JSON.parse(row?.removed ?? "[]");
  return { id: row?.id ?? 0, removed: new Set(removed) };
}

/** The segments to merge, with the blocks of one range of hashes. */
function* readSources(
  shelf: string,
  segments: readonly StoredSegment[],
  range: number,
  ranges: number,
): Steps<MergeSource[]> {
  const spans = segments.map(({ id, buckets }) => ({
    low: blockId(id, Math.floor((range * buckets) / ranges)),
    high: blockId(id, Math.ceil(((range + 1) * buckets) / ranges)),
  }));
  const rows = yield* all<{ id: number; postings: Uint8Array; positions: Uint8Array }>(
    `SELECT postings.id, postings.block AS postings, positions.block AS positions
       FROM json_to_recordset(?::json) AS span (low bigint, high bigint)
       JOIN ${shelf}_postings AS postings ON postings.id >= span.low AND postings.id < span.high
       JOIN ${shelf}_positions AS positions ON positions.id = postings.id
      ORDER BY postings.id`,
    JSON.stringify(spans),
  );
  return segments.map(({ buckets, postings }, index) => {
    const { low, high } = elementAt(spans, index);
    const blocks = rows.filter(({ id }) => id >= low && id < high);
    return { buckets, postings, blocksIn: () => blocks };
  });
}

function* replaceSegments(
  shelf: string,
  merged: StoredSegment,
  segments: readonly StoredSegment[],
  removedFrom: number,
): Steps<void> {
  const spans = segments.map(({ id }) => ({ id, low: blockId(id, 0), high: blockId(id + 1, 0) }));
  const inSpan = (table: string): string =>
    `DELETE FROM ${shelf}_${table} AS block USING spans
      WHERE block.id >= spans.low AND block.id < spans.high`;
  yield* run(
    `WITH spans AS (
       SELECT * FROM json_to_recordset(?1::json) AS span (id bigint, low bigint, high bigint)),
     dropped AS (DELETE FROM ${shelf}_segments WHERE id IN (SELECT id FROM spans)),
     dropped_postings AS (${inSpan("postings")}),
     dropped_positions AS (${inSpan("positions")}),
     -- A removed passage without words is in no segment: its number may precede the first segment.
     forgotten AS (DELETE FROM ${shelf}_removed WHERE passage >= ?2),
     renewed AS (UPDATE ${shelf}_postings_stamp SET stamp = ?3)
     INSERT INTO ${shelf}_segments (id, first_passage, postings, buckets) VALUES (?4, ?5, ?6, ?7)`,
    JSON.stringify(spans),
    removedFrom,
    newStamp(),
    merged.id,
    merged.firstPassage,
    merged.postings,
    merged.buckets,
  );
}

/** See `ChangeStamp`. */
export const newStamp = (): number => Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);
