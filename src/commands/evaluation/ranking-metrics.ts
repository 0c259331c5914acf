/** The quality of one ranking, compared with the judged documents. */
export interface Measures {
  /** nDCG@10: the discounted gain of the first ten results, relative to the ideal ranking. */
  ndcg10: number;
  /** The fraction of relevant documents among the first hundred results. */
  recall100: number;
  /** 1 if the first result is relevant. */
  hit1: number;
}

export function measureRanking(
  ranking: readonly string[],
  relevant: ReadonlyMap<string, number>,
): Measures {
  const gains = ranking.slice(0, 10).map((id) => relevant.get(id) ?? 0);
  const idealGains = [...relevant.values()].sort((a, b) => b - a).slice(0, 10);
  const relevantFound = new Set(ranking.slice(0, 100).filter((id) => relevant.has(id)));
  return {
    ndcg10: discountedGain(gains) / discountedGain(idealGains),
    recall100: relevantFound.size / relevant.size,
    hit1: relevant.has(ranking[0] ?? "") ? 1 : 0,
  };
}

export function meanMeasures(all: readonly Measures[]): Measures {
  const average = (key: keyof Measures) =>
    all.reduce((sum, measures) => sum + measures[key], 0) / Math.max(all.length, 1);
  return { ndcg10: average("ndcg10"), recall100: average("recall100"), hit1: average("hit1") };
}

const discountedGain = (gains: readonly number[]): number =>
  gains.reduce((sum, gain, rank) => sum + gain / Math.log2(rank + 2), 0);
