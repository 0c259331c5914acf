/** The best of many that come one after another; of equal ones those with the lower ids. */
export interface Best {
  /** Takes it if it is good enough, and gives the score below which nothing is any more. */
  offer(score: number, id: number): number;
  /** What was taken, in no order. */
  ids(): number[];
}

/**
 * A fresh count, which is asked of ids from the best on: how many of the wanted results this one
 * is. Where results of one kind are limited it may be none, since better ones were asked before.
 */
export type Tally = () => (id: number) => number;

export const eachIsOne: Tally = () => () => 1;

/**
 * Gathers more than it needs, and now and then sorts and throws away what is not among the best.
 * Scores may be a little wrong, so what others of its kind have kept from being a result is counted
 * among its like, in several rounds, and stays too if it would be a result there.
 */
export function keepBest(most: number, tally: Tally): Best {
  let taken: Scored[] = [];
  let floor = Number.NEGATIVE_INFINITY;
  let room = most * 4;

  return {
    offer(score, id) {
      taken.push({ score, id });
      if (taken.length >= room) prune();
      return floor;
    },
    ids() {
      prune();
      return taken.map(({ id }) => id);
    },
  };

  function prune(): void {
    taken.sort((a, b) => b.score - a.score || a.id - b.id);
    const results = tally();
    const runnersUp = Array.from({ length: rounds }, tally);
    let count = 0;
    taken = taken.filter(({ score, id }) => {
      if (count >= most) return false;
      const added = results(id);
      count += added;
      if (count >= most) floor = score;
      return added > 0 || runnersUp.some((among) => among(id) > 0);
    });
    room = taken.length + most * 3;
  }
}

const rounds = 3;

interface Scored {
  score: number;
  id: number;
}
