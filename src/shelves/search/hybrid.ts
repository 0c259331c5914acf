import type { Match } from "../../kernel/index/contract.ts";

/** One way of finding, with its results in order and its say in the whole. */
export interface RankedList {
  /** `keywords` or `meaning`, and the query it answers. */
  by: "keywords" | "meaning";
  query: string;
  weight: number;
  matches: readonly Match[];
}

/** A document, or a passage of one, as several lists see it. */
export interface Candidate {
  match: Match;
  /** The sum of what every list gave for its rank. */
  fused: number;
  /** How well it stands before the re-ranker is asked: by ranks and by scores, from 0 to 1. */
  standing: number;
  /** Where each list had it, by the place of the list; counted from one. */
  ranks: (number | undefined)[];
  /** What the re-ranker said, where it was asked. */
  logit?: number;
  blended?: number;
}

/** How soon a later rank counts less, in reciprocal rank fusion. */
const k = 60;

/** The first two queries are the caller's own words and count double. */
export const weightOfQuery = (place: number): number => (place < 2 ? 2 : 1);

/**
 * Joins lists by the ranks that each gives, and by its scores: a rank does not tell whether the
 * first is far before the second. Each has half of the say. With one passage a document, a document
 * is the same whatever passage found it; the passage shown is the one whose list ranks it highest.
 */
export function fuse(lists: readonly RankedList[], keyOf: (match: Match) => string): Candidate[] {
  const found = new Map<string, Candidate & { best: number; scored: number }>();
  const weights = lists.reduce((sum, { weight }) => sum + weight, 0);
  for (const [place, { weight, matches }] of lists.entries()) {
    const byScore = scaleOf(
      matches.map(({ score }) => score),
      1,
    );
    for (const [index, match] of matches.entries()) {
      const share = weight / (k + index + 1);
      const key = keyOf(match);
      const known = found.get(key);
      const unseen = {
        fused: 0,
        standing: 0,
        best: 0,
        scored: 0,
        ranks: lists.map(() => undefined),
      };
      const candidate = known ?? { match, ...unseen };
      if (candidate.ranks[place] !== undefined) continue;
      candidate.ranks[place] = index + 1;
      candidate.fused += share;
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
  const byRank = scaleOf(
    candidates.map(({ fused }) => fused),
    1,
  );
  for (const candidate of candidates) {
    candidate.standing = (byRank(candidate.fused) + candidate.scored) / 2;
  }
  return candidates.sort((a, b) => b.standing - a.standing || b.match.score - a.match.score);
}

export interface Band {
  from_rank: number;
  to_rank: number | null;
  rrf: number;
  rerank: number;
}

/**
 * Puts candidates with a logit in the order of the blend: both judges on one scale from 0 to 1,
 * the fusion trusted most at the top. The others stay behind them.
 */
export function blend(candidates: readonly Candidate[], bands: readonly Band[]): Candidate[] {
  const judged = candidates.filter(({ logit }) => logit !== undefined);
  const byStanding = scaleOf(judged.map(({ standing }) => standing));
  const byModel = scaleOf(judged.map(({ logit = 0 }) => logit));
  const blended = judged.map((candidate, index) => {
    const rank = index + 1;
    const band = bands.find(
      ({ from_rank, to_rank }) => rank >= from_rank && rank <= (to_rank ?? rank),
    ) ?? { rrf: 1, rerank: 0 };
    const parts =
      band.rrf * byStanding(candidate.standing) + band.rerank * byModel(candidate.logit ?? 0);
    return { ...candidate, blended: parts };
  });
  const rest = candidates.filter(({ logit }) => logit === undefined);
  return [...blended.sort((a, b) => b.blended - a.blended), ...rest];
}

/** From the least to the most on a scale from 0 to 1; where all are alike, what is said for that. */
function scaleOf(values: readonly number[], alike = 0): (value: number) => number {
  const least = Math.min(...values);
  const most = Math.max(...values);
  return (value) => (most > least ? (value - least) / (most - least) : alike);
}

/** A score keeps its meaning, and never rises on the way down. */
export function withFallingScores(candidates: readonly Candidate[]): Match[] {
  let above = 1;
  return candidates.map(({ match }) => {
    above = Math.min(above, match.score);
    return { ...match, score: above };
  });
}
