import type { PassageOwner } from "../passage-owners.ts";
import type { MatchOptions } from "../search-index.ts";
import type { PhraseFilter } from "./phrase-filter.ts";
import type { Ranking } from "./ranking.ts";
import type { RankingSource } from "./ranking-source.ts";

export interface ScoredPassage extends PassageOwner {
  score: number;
}

/** The first items that are included. */
export function takeFirst<Item>(
  items: Iterable<Item>,
  count: number,
  isIncluded: (item: Item) => boolean = () => true,
): Item[] {
  const taken: Item[] = [];
  for (const item of items) {
    if (!isIncluded(item)) continue;
    taken.push(item);
    if (taken.length === count) break;
  }
  return taken;
}

/** Walks down the ranking until the limit is reached. All filters are applied before the limit. */
export function* selectPassages(
  ranked: Iterable<ScoredPassage>,
  { limit, perDocument = 1 }: MatchOptions,
): Generator<ScoredPassage> {
  const countByDocument = new Map<number, number>();
  let count = 0;
  for (const passage of ranked) {
    const before = countByDocument.get(passage.document) ?? 0;
    if (before >= perDocument) continue;
    countByDocument.set(passage.document, before + 1);
    yield passage;
    if (++count >= limit) return;
  }
}

/** The passages that filters and phrases admit, best first. */
export function* admittedPassages(
  ranking: Ranking,
  matchesPhrases: PhraseFilter,
  { owners, ownersPerLookup = 0 }: Pick<RankingSource, "owners" | "ownersPerLookup">,
  { limit, roots, documents }: MatchOptions,
): Generator<ScoredPassage> {
  const includedRoots = roots && new Set(roots);
  const includedDocuments = documents && new Set(documents);
  const firstSize = Math.max(limit * 2 + 10, ownersPerLookup);
  for (const ids of inGrowingBatches(ranking, matchesPhrases, firstSize)) {
    const passages = owners(ids).map(({ id, document, root, path }) => ({
      id,
      document,
      root,
      path,
      score: ranking.scoreOf(id),
    }));
    for (const passage of passages.sort(compareByRank)) {
      if (includedRoots && !includedRoots.has(passage.root)) continue;
      if (includedDocuments && !includedDocuments.has(passage.document)) continue;
      yield passage;
    }
  }
}

/** Omits the passages of documents that are excluded. Each document is judged once. */
export function* withoutDocuments(
  passages: Iterable<ScoredPassage>,
  isExcluded: (document: number) => boolean,
): Generator<ScoredPassage> {
  const judged = new Map<number, boolean>();
  for (const passage of passages) {
    const { document } = passage;
    const excluded = judged.get(document) ?? isExcluded(document);
    judged.set(document, excluded);
    if (!excluded) yield passage;
  }
}

/**
 * The ranking in batches of increasing size, so that even a search that filters out nearly all
 * passages needs few queries. A batch never ends between passages of equal score, because their
 * order is decided later, by path.
 */
function* inGrowingBatches(
  { bestFirst, scoreOf }: Ranking,
  isIncluded: (id: number) => boolean,
  firstSize: number,
): Generator<number[]> {
  let batch: number[] = [];
  let size = firstSize;
  for (const id of bestFirst()) {
    if (!isIncluded(id)) continue;
    const last = batch.at(-1) ?? id;
    if (batch.length >= size && scoreOf(last) > scoreOf(id)) {
      yield batch;
      batch = [];
      size *= 4;
    }
    batch.push(id);
  }
  yield batch;
}

/**
 * By score, then by path and position in the document. So the order does not depend on the order
 * in which documents were put, or on how often they changed.
 */
const compareByRank = (a: ScoredPassage, b: ScoredPassage): number =>
  b.score - a.score ||
  compareStrings(a.root, b.root) ||
  compareStrings(a.path, b.path) ||
  a.document - b.document ||
  a.id - b.id;

const compareStrings = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);
