import type { Match } from "../../../kernel/index/search-index.ts";

/** A ranked list of matches with its weight in the fusion. */
export interface RankedList {
  /** The kind of search, and its query. */
  by: "keywords" | "meaning";
  query: string;
  weight: number;
  matches: readonly Match[];
}

/** A document or passage with its combined scores. */
export interface FusedCandidate {
  match: Match;
  /** The sum of the reciprocal-rank contributions of all lists. */
  rrfScore: number;
  /** The score before re-ranking, from ranks and scores, from 0 to 1. */
  fusedScore: number;
  /** The one-based rank in each list, by the index of the list. */
  ranks: (number | undefined)[];
  /** The score of the re-ranker, if it was used. */
  logit?: number;
  blendedScore?: number;
}

/** The constant k of reciprocal rank fusion (RRF). */
const rrfK = 60;

/** The first two queries of the caller have double weight. */
export const queryWeight = (index: number): number => (index < 2 ? 2 : 1);

/**
 * Merges lists by reciprocal rank fusion and by normalized scores, with equal weight: a rank alone
 * does not show how far the first result is ahead of the second. If `keyOf` is the document, results
 * with different passages are merged, and the passage with the highest contribution is shown.
 */
export function fuseRankings(
  lists: readonly RankedList[],
  keyOf: (match: Match) => string,
): FusedCandidate[] {
  const found = new Map<string, FusedCandidate & { best: number; scored: number }>();
  const weights = lists.reduce((sum, { weight }) => sum + weight, 0);
  for (const [list, { weight, matches }] of lists.entries()) {
    const byScore = createNormalizer(
      matches.map(({ score }) => score),
      1,
    );
    for (const [index, match] of matches.entries()) {
      const share = weight / (rrfK + index + 1);
      const key = keyOf(match);
      const known = found.get(key);
      const unseen = {
        rrfScore: 0,
        fusedScore: 0,
        best: 0,
        scored: 0,
        ranks: lists.map(() => undefined),
      };
      const candidate = known ?? { match, ...unseen };
      if (candidate.ranks[list] !== undefined) continue;
      candidate.ranks[list] = index + 1;
      candidate.rrfScore += share;
      candidate.scored += (weight / weights) * byScore(match.score);
      if (share > candidate.best) {
        candidate.best = share;
        candidate.match = { ...match, score: Math.max(match.score, candidate.match.score) };
      } else if (match.score > candidate.match.score) {
        candidate.match = { ...candidate.match, score: match.score };
      }
      found.set(key, candidate);
    }
  }
  const candidates = [...found.values()];
  const byRank = createNormalizer(
    candidates.map(({ rrfScore }) => rrfScore),
    1,
  );
  for (const candidate of candidates) {
    candidate.fusedScore = (byRank(candidate.rrfScore) + candidate.scored) / 2;
  }
  return candidates.sort((a, b) => b.fusedScore - a.fusedScore || b.match.score - a.match.score);
}

export interface RerankBand {
  from_rank: number;
  to_rank: number | null;
  rrf: number;
  rerank: number;
}

/**
 * Sorts candidates with a logit by a blend of fused score and logit, both normalized to 0..1. The
 * weights depend on the rank; fusion counts most at the top. Other candidates follow in their order.
 */
export function blendScores(
  candidates: readonly FusedCandidate[],
  bands: readonly RerankBand[],
): FusedCandidate[] {
  const judged = candidates.filter(({ logit }) => logit !== undefined);
  const byFusion = createNormalizer(judged.map(({ fusedScore }) => fusedScore));
  const byReranker = createNormalizer(judged.map(({ logit = 0 }) => logit));
  const blended = judged.map((candidate, index) => {
    const rank = index + 1;
    const band = bands.find(
      ({ from_rank, to_rank }) => rank >= from_rank && rank <= (to_rank ?? rank),
    ) ?? { rrf: 1, rerank: 0 };
    const blendedScore =
      band.rrf * byFusion(candidate.fusedScore) + band.rerank * byReranker(candidate.logit ?? 0);
    return { ...candidate, blendedScore };
  });
  const rest = candidates.filter(({ logit }) => logit === undefined);
  return [...blended.sort((a, b) => b.blendedScore - a.blendedScore), ...rest];
}

/**
 * Moves the best results by keywords into the first three if they match nearly all of the query.
 * So a hybrid search finds at the top what a keyword search finds there, whatever the models say.
 */
export function keepBestByKeywords(
  candidates: readonly FusedCandidate[],
  lists: readonly RankedList[],
): FusedCandidate[] {
  const list = lists.findIndex(({ by }) => by === "keywords");
  const isStrong = ({ ranks }: FusedCandidate): boolean => {
    const rank = ranks[list] ?? Number.POSITIVE_INFINITY;
    return rank <= keptByKeywords && (lists[list]?.matches[rank - 1]?.score ?? 0) >= strongScore;
  };
  const moved = candidates.filter((candidate, rank) => rank >= topLength && isStrong(candidate));
  if (moved.length === 0) return [...candidates];
  const top = candidates.slice(0, topLength);
  const kept = top.filter(isStrong);
  const others = top.filter((candidate) => !isStrong(candidate));
  const stay = others.slice(0, Math.max(topLength - kept.length - moved.length, 0));
  const first = top.filter((candidate) => kept.includes(candidate) || stay.includes(candidate));
  const rest = candidates.filter(
    (candidate) => !first.includes(candidate) && !moved.includes(candidate),
  );
  return [...first, ...moved, ...rest];
}

const topLength = 3;

/** How many of the best results by keywords are kept in the first three. */
const keptByKeywords = 2;

/** A title that has all words, or a passage that repeats the query word for word. */
const strongScore = 0.82;

/** Min-max normalization to 0..1; `fallback` is the result if all values are equal. */
function createNormalizer(values: readonly number[], fallback = 0): (value: number) => number {
  const min = Math.min(...values);
  const max = Math.max(...values);
  return (value) => (max > min ? (value - min) / (max - min) : fallback);
}

/** Lowers scores where needed so that they never increase down the list. */
export function toMonotonicScores(candidates: readonly FusedCandidate[]): Match[] {
  let previous = 1;
  return candidates.map(({ match }) => {
    previous = Math.min(previous, match.score);
    return { ...match, score: previous };
  });
}
