import type { RankingSource } from "../../index/ranking/ranking-source.ts";
import type { ListCache } from "../../index/segments/list-cache.ts";
import { openPositions, type TermPositions } from "../../index/segments/positions.ts";
import {
  type PostingColumns,
  readPostings,
  readTitledPostings,
} from "../../index/segments/postings.ts";
import type { IndexState } from "./index-state.ts";
import type { OwnerTable } from "./owner-table.ts";
import { missingData, type ReadRequests } from "./read-requests.ts";
import { listKey, type SegmentLists, titledList } from "./segment-lists.ts";
import type { WordLookups } from "./word-lookups.ts";

interface StoredSourceParts {
  state: IndexState;
  lists: SegmentLists;
  words: WordLookups;
  owners: OwnerTable;
  /** By character: the terms that contain it. */
  characters: ReadonlyMap<string, readonly string[]>;
  /** What was missing. */
  requests: ReadRequests;
  /** Whether to request also what is known, for a state that may have other segments. */
  isPrediction?: boolean;
}

/**
 * Ranking reads from memory. What is not there is requested, and a stand-in is returned, so that all
 * that one part of the work needs is requested at once; the part is then done again.
 */
export function createStoredSource(parts: StoredSourceParts): RankingSource {
  const { state, lists, requests, owners, characters, isPrediction = false } = parts;
  const { segments, removed, stamp, table } = state;

  const isUnknown = isPrediction && segments.length === 0;
  const encoded = (
    cache: ListCache<Uint8Array>,
    term: string,
  ): readonly (Uint8Array | undefined)[] =>
    segments.map(({ id }) => cache.find(listKey(table, id, term)));

  function read(term: string): PostingColumns {
    if (isPrediction) requests.lists.add(term);
    if (isUnknown) return standIn;
    const key = `${stamp} ${term}`;
    const known = lists.decoded.find(key);
    if (known) return known;
    const found = existing(encoded(lists.postings, term));
    if (!found) {
      requests.lists.add(term);
      return standIn;
    }
    return lists.decoded.get(key, () => readPostings(found, removed));
  }

  function readTitled(term: string): PostingColumns {
    if (isPrediction) requests.titled.add(term);
    if (isUnknown) return standIn;
    const key = `${stamp} ${term}`;
    const known = lists.decodedTitled.find(key);
    if (known) return known;
    const whole = encoded(lists.postings, term);
    const found = existing(
      encoded(lists.titled, term).map((list, index) => {
        const other = whole[index];
        return list ?? (other && titledList(other));
      }),
    );
    if (!found) {
      requests.titled.add(term);
      return standIn;
    }
    return lists.decodedTitled.get(key, () => readTitledPostings(found, removed));
  }

  function readPositions(term: string): TermPositions {
    const key = `${stamp} ${term}`;
    const known = lists.decodedPositions.find(key);
    if (known) return known;
    const found = existing(encoded(lists.positions, term));
    const postings = read(term);
    if (!found || postings === standIn) {
      requests.positions.add(term);
      // A stand-in would stay with what is made of it.
      throw missingData;
    }
    return lists.decodedPositions.get(key, () => openPositions(postings, found));
  }

  return {
    totals: state.totals,
    vocabulary: parts.words,
    read,
    readTitled,
    readPositions,
    termsContaining(character) {
      const terms = characters.get(character);
      if (!terms) requests.characters.add(character);
      return terms ?? [];
    },
    owners: owners.find,
    titlesOf: owners.titlesOf,
    passagesOf: owners.passagesOf,
    expectOwners: owners.expect,
    ...(owners.isFiltered && { ownersPerLookup: 500 }),
  };
}

/** The lists of the segments that have the term. Undefined if one was not read yet. */
function existing(lists: readonly (Uint8Array | undefined)[]): Uint8Array[] | undefined {
  const found: Uint8Array[] = [];
  for (const list of lists) {
    if (!list) return undefined;
    if (list.length > 0) found.push(list);
  }
  return found;
}

/**
 * For a list that was not read yet. It has so many postings that the word is taken for one that
 * exists, and is neither rare nor so frequent that its parts are not searched.
 */
const standIn: PostingColumns = {
  count: 10,
  partsOnly: 0,
  passages: new Uint32Array(10),
  frequencies: new Uint16Array(10),
  fieldMasks: new Uint8Array(10),
  scales: new Uint8Array(10),
  stored: { frequencies: new Uint16Array(10), fieldMasks: new Uint8Array(10), listEnds: [] },
};
