/**
 * The latest scores of a re-ranker by query and passage: a search is often repeated with other
 * filters, and finds many of the same passages.
 */
export interface RecentScores {
  find(query: string, passage: string): number | undefined;
  save(query: string, passage: string, score: number): void;
}

/** About 2 MB of passages. */
const maxScores = 1_000;

export function createRecentScores(): RecentScores {
  /** In the order of their last use. */
  const scores = new Map<string, number>();

  function save(query: string, passage: string, score: number): void {
    const key = JSON.stringify([query, passage]);
    scores.delete(key);
    scores.set(key, score);
    const [oldest] = scores.keys();
    if (scores.size > maxScores && oldest !== undefined) scores.delete(oldest);
  }

  return {
    save,
    find(query, passage) {
      const score = scores.get(JSON.stringify([query, passage]));
      if (score !== undefined) save(query, passage, score);
      return score;
    },
  };
}
