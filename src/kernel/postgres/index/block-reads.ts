import { elementAt } from "../../../text/arrays/element-at.ts";
import { blockId } from "../../index/integrity.ts";
import { bucketOf, findList, findPostingList, hashTerm } from "../../index/segments/blocks.ts";
import type { IndexState, StoredSegment } from "./index-state.ts";
import type { ReadRequests } from "./read-requests.ts";
import { listKey, noList, type SegmentLists, titledList } from "./segment-lists.ts";

/** The blocks that have the lists of the requested terms, by id. */
export interface BlockIds {
  postings: number[];
  positions: number[];
}

export type Blocks = Record<keyof BlockIds, ReadonlyMap<number, Uint8Array>>;

/** The blocks with requested lists that were not read yet. */
export function missingBlocks(
  { segments, table }: IndexState,
  requests: ReadRequests,
  lists: SegmentLists,
): BlockIds {
  const postings = new Set<number>();
  const positions = new Set<number>();
  forEachList(segments, requests.lists, (segment, term, id) => {
    if (!lists.postings.find(listKey(table, segment, term))) postings.add(id);
  });
  forEachList(segments, requests.titled, (segment, term, id) => {
    const key = listKey(table, segment, term);
    if (!lists.titled.find(key) && !lists.postings.find(key)) postings.add(id);
  });
  forEachList(segments, requests.positions, (segment, term, id) => {
    const key = listKey(table, segment, term);
    if (lists.positions.find(key)) return;
    // The place of a list of positions is that of the postings.
    postings.add(id);
    positions.add(id);
  });
  return { postings: [...postings], positions: [...positions] };
}

/** Keeps the requested lists of blocks. Returns false if a block is missing. */
export function keepLists(
  { segments, table }: IndexState,
  requests: ReadRequests,
  lists: SegmentLists,
  { postings, positions }: Blocks,
): boolean {
  let isComplete = true;
  forEachList(segments, requests.lists, (segment, term, id) => {
    const key = listKey(table, segment, term);
    if (lists.postings.find(key)) return;
    const block = postings.get(id);
    // Copies: a part of a block would keep all of it in memory.
    if (block) lists.postings.add(key, findPostingList(block, term)?.list.slice() ?? noList);
    else isComplete = false;
  });
  forEachList(segments, requests.titled, (segment, term, id) => {
    const key = listKey(table, segment, term);
    if (lists.titled.find(key) || lists.postings.find(key)) return;
    const block = postings.get(id);
    if (block) lists.titled.add(key, titledList(findPostingList(block, term)?.list ?? noList));
    else isComplete = false;
  });
  forEachList(segments, requests.positions, (segment, term, id) => {
    const key = listKey(table, segment, term);
    if (lists.positions.find(key)) return;
    const [block, places] = [postings.get(id), positions.get(id)];
    if (!block || !places) {
      isComplete = false;
      return;
    }
    const entry = findPostingList(block, term);
    lists.postings.add(key, entry?.list.slice() ?? noList);
    lists.positions.add(key, entry ? findList(places, entry.index).slice() : noList);
  });
  return isComplete;
}

/** The terms of a kind of request, as hashes, for segments that are not known yet. */
export const hashesOf = (...terms: readonly ReadonlySet<string>[]): number[] => [
  ...new Set(terms.flatMap((some) => [...some].map(hashTerm))),
];

function forEachList(
  segments: readonly StoredSegment[],
  terms: ReadonlySet<string>,
  onList: (segment: number, term: string, block: number) => void,
): void {
  const hashes = new Map([...terms].map((term) => [term, hashTerm(term)]));
  for (const [term, hash] of hashes) {
    for (let index = 0; index < segments.length; index++) {
      const { id, buckets } = elementAt(segments, index);
      onList(id, term, blockId(id, bucketOf(hash, buckets)));
    }
  }
}
