/** Selects the ids with the best scores from a stream; among equal scores the lower ids. */
export interface TopK {
  /** Adds a candidate. Returns the score below which further candidates can be skipped. */
  offer(score: number, id: number): number;
  /** The selected ids, in no particular order. */
  ids(): number[];
}

/**
 * Starts a new count. The returned function is called with ids, best first, and returns how many
 * results each one yields. It may return 0, for example when results per document are limited and
 * better ones used up the limit.
 */
export type ResultCounter = () => (id: number) => number;

export const countEachOnce: ResultCounter = () => () => 1;

/**
 * Collects more candidates than needed; from time to time sorts them and drops all but the best.
 * Scores are approximate, so a candidate that yields no result because of better ones may be a
 * result after all. Such runners-up are counted again among themselves, in several rounds, and also
 * selected if they yield a result there.
 */
export function createTopK(limit: number, startCount: ResultCounter): TopK {
  let candidates: ScoredId[] = [];
  let minScore = Number.NEGATIVE_INFINITY;
  let capacity = limit * 4;

  return {
    offer(score, id) {
      candidates.push({ score, id });
      if (candidates.length >= capacity) prune();
      return minScore;
    },
    ids() {
      prune();
      return candidates.map(({ id }) => id);
    },
  };

  function prune(): void {
    candidates.sort((a, b) => b.score - a.score || a.id - b.id);
    const countResults = startCount();
    const runnerUpCounters = Array.from({ length: runnerUpRounds }, startCount);
    let results = 0;
    candidates = candidates.filter(({ score, id }) => {
      if (results >= limit) return false;
      const added = countResults(id);
      results += added;
      if (results >= limit) minScore = score;
      return added > 0 || runnerUpCounters.some((countRunnersUp) => countRunnersUp(id) > 0);
    });
    capacity = candidates.length + limit * 3;
  }
}

const runnerUpRounds = 3;

interface ScoredId {
  score: number;
  id: number;
}
