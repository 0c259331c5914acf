/** How good one answer is: the ids in the order they were given, against what is relevant. */
export interface Measures {
  /** The gain of the first ten, each worth less the later it comes, against the best order. */
  ndcg10: number;
  /** The share of what is relevant among the first hundred. */
  recall100: number;
  /** 1 where the very first is relevant. */
  hit1: number;
}

export function measure(
  answer: readonly string[],
  relevant: ReadonlyMap<string, number>,
): Measures {
  const gains = answer.slice(0, 10).map((id) => relevant.get(id) ?? 0);
  const best = [...relevant.values()].sort((a, b) => b - a).slice(0, 10);
  const found = new Set(answer.slice(0, 100).filter((id) => relevant.has(id)));
  return {
    ndcg10: discounted(gains) / discounted(best),
    recall100: found.size / relevant.size,
    hit1: relevant.has(answer[0] ?? "") ? 1 : 0,
  };
}

export function mean(all: readonly Measures[]): Measures {
  const average = (key: keyof Measures) =>
    all.reduce((sum, one) => sum + one[key], 0) / Math.max(all.length, 1);
  return { ndcg10: average("ndcg10"), recall100: average("recall100"), hit1: average("hit1") };
}

const discounted = (gains: readonly number[]): number =>
  gains.reduce((sum, gain, place) => sum + gain / Math.log2(place + 2), 0);
