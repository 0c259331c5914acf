import type { IndexTotals } from "../../index/ranking/ranking.ts";

/** One state of an index, in which a query is answered. */
export interface IndexState {
  /** Differs after each change. */
  stamp: number;
  totals: IndexTotals;
  /** Ascending by id. */
  segments: readonly StoredSegment[];
  /** At least the removed passages that are still in a segment. */
  removed: ReadonlySet<number>;
  lastRemoved: number;
  /** Differs after words were deleted. */
  wordsStamp: number;
  lastWord: number;
  /** The identity of the tables. Segment ids are unique as long as it is the same. */
  table: number;
}

export interface StoredSegment {
  id: number;
  firstPassage: number;
  postings: number;
  buckets: number;
}

export const emptyState: IndexState = {
  stamp: Number.NaN,
  totals: { passages: 0, tokens: 0 },
  segments: [],
  removed: new Set(),
  lastRemoved: 0,
  wordsStamp: Number.NaN,
  lastWord: 0,
  table: 0,
};

/**
 * The state as JSON, in one statement, so that all parts belong together. Removed passages are read
 * from a number on, because there may be very many.
 */
export const stateJson = (shelf: string, lastRemoved: string): string => `json_build_object(
    'stamp', (SELECT stamp FROM ${shelf}_postings_stamp),
    'passages', totals.passages,
    'tokens', totals.tokens,
    'segments', (SELECT coalesce(json_agg(json_build_array(id, first_passage, postings, buckets)
        ORDER BY id), '[]') FROM ${shelf}_segments),
    'removed', (SELECT coalesce(json_agg(passage), '[]') FROM ${shelf}_removed
        WHERE number > ${lastRemoved}),
    'lastRemoved', (SELECT coalesce(max(number), 0) FROM ${shelf}_removed),
    'wordsStamp', (SELECT stamp FROM ${shelf}_vocabulary_stamp),
    'lastWord', (SELECT coalesce(max(number), 0) FROM ${shelf}_vocabulary),
    'table', '${shelf}_segments'::regclass::oid::bigint,
    'isOwnWrite', pg_current_xact_id_if_assigned() IS NOT NULL
  )`;

interface StateJson {
  stamp: number;
  passages: number;
  tokens: number;
  segments: [id: number, firstPassage: number, postings: number, buckets: number][];
  removed: number[];
  lastRemoved: number;
  wordsStamp: number;
  lastWord: number;
  table: number;
  isOwnWrite: boolean;
}

/**
 * `before` is the state that the removed passages follow. `isOwnWrite` tells whether the transaction
 * that reads has written, so that what it reads may be rolled back.
 */
export function parseState(
  text: string,
  before: IndexState,
): { state: IndexState; isOwnWrite: boolean } {
  const { passages, tokens, segments, removed, lastRemoved, isOwnWrite, ...rest }: StateJson =
    JSON.parse(text);
  // A passage remains removed: merges delete the row, but its number is never used again.
  const isSame = removed.length === 0;
  return {
    isOwnWrite,
    state: {
      ...rest,
      totals: { passages, tokens },
      segments: segments.map(([id, firstPassage, postings, buckets]) => ({
        id,
        firstPassage,
        postings,
        buckets,
      })),
      removed: isSame ? before.removed : new Set([...before.removed, ...removed]),
      lastRemoved: Math.max(lastRemoved, before.lastRemoved),
    },
  };
}
