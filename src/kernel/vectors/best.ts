/** The best of many that come one after another; of equal ones those with the lower ids. */
export interface Best {
  /** Takes it if it is good enough, and gives the score below which nothing is any more. */
  offer(score: number, id: number): number;
  /** What was taken, in no order. */
  ids(): number[];
}

/** A heap with the worst of the taken at its root, where it is thrown out when a better one comes. */
export function keepBest(most: number): Best {
  const scores: number[] = [];
  const ids: number[] = [];

  return {
    offer(score, id) {
      if (ids.length < most) {
        rise(scores.push(score) - 1, score, id);
        return ids.length < most ? Number.NEGATIVE_INFINITY : scoreAt(0);
      }
      if (isWorse(scoreAt(0), idAt(0), score, id)) sink(score, id);
      return scoreAt(0);
    },
    ids: () => [...ids],
  };

  function rise(start: number, score: number, id: number): void {
    let place = start;
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (!isWorse(score, id, scoreAt(above), idAt(above))) break;
      put(place, scoreAt(above), idAt(above));
      place = above;
    }
    put(place, score, id);
  }

  function sink(score: number, id: number): void {
    let place = 0;
    for (;;) {
      let below = 2 * place + 1;
      if (below >= ids.length) break;
      const other = below + 1;
      if (other < ids.length && isWorse(scoreAt(other), idAt(other), scoreAt(below), idAt(below))) {
        below = other;
      }
      if (!isWorse(scoreAt(below), idAt(below), score, id)) break;
      put(place, scoreAt(below), idAt(below));
      place = below;
    }
    put(place, score, id);
  }

  function put(place: number, score: number, id: number): void {
    scores[place] = score;
    ids[place] = id;
  }

  function scoreAt(place: number): number {
    return scores[place] ?? 0;
  }

  function idAt(place: number): number {
    return ids[place] ?? 0;
  }
}

const isWorse = (score: number, id: number, otherScore: number, otherId: number): boolean =>
  score < otherScore || (score === otherScore && id > otherId);
