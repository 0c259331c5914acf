/** A hit of the engine: how well it matches by the engine's own measure, and the tokens it holds. */
export interface RawHit {
  /** Higher is better; only the order and the proportions within one answer mean something. */
  weight: number;
  tokens: ReadonlySet<string>;
}

/**
 * Scores from 0 to 1 for hits in the engine's order, which they keep. A score says how much of the
 * query is there: a hit with every word and the best weight has 1, one with half of the words at
 * most a half. The engine's measure alone cannot say so: in a library of three documents, a word
 * that stands in two of them weighs next to nothing.
 */
export function scoresOf(hits: readonly RawHit[], wanted: ReadonlySet<string>): number[] {
  const best = hits[0]?.weight ?? 0;
  let above = 1;
  return hits.map(({ weight, tokens }) => {
    const covered = [...wanted].filter((token) => tokens.has(token)).length / wanted.size;
    const share = best > 0 ? weight / best : 1;
    above = Math.min(above, covered * (0.6 + 0.4 * share));
    return above;
  });
}
