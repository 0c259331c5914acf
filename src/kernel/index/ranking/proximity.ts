import { elementAt } from "../../../text/arrays/element-at.ts";

/** One word of a query: the number of its term, and its place among all words of the query. */
export interface QueryPlace {
  term: number;
  position: number;
}

/** What proximity is judged by, wherever it is stored. */
export interface ProximityQuery {
  /** In the query's order. Function words have no place, but count in the positions of others. */
  places: readonly QueryPlace[];
  /** The share of each term in the score. */
  weights: readonly number[];
}

/**
 * How much of the missing score the order of words adds, from 0 to 1: for neighbours that stand
 * together, and for the longest run that is word for word the same, as in a pasted error message.
 * `positionsOf` gives the ascending positions of a term in the passage.
 *
 * ```
 * drain a node:   "Drain the node"  all      "node … drain"  some      "drain", far from "node"  none
 * ```
 */
export function proximityOf(
  { places, weights }: ProximityQuery,
  positionsOf: (term: number) => readonly number[],
): number {
  let together = 0;
  let possible = 0;
  for (let index = 1; index < places.length; index++) {
    const [left, right] = [elementAt(places, index - 1), elementAt(places, index)];
    if (left.term === right.term) continue;
    const weight = Math.min(elementAt(weights, left.term), elementAt(weights, right.term));
    const gap = right.position - left.position;
    possible += weight;
    const near = closeness(positionsOf(left.term), positionsOf(right.term), gap);
    together += weight * near * weightOfPair(gap, places.length);
  }
  if (together === 0) return 0;
  return 1 - (1 - together / possible) * (1 - longestRun({ places, weights }, positionsOf));
}

/**
 * The most that `proximityOf` can be if this many words of the query are there, with this share of
 * the weight.
 */
export function maxProximity(places: readonly QueryPlace[], words: number, share: number): number {
  const certainty = words < minRunLength ? 0 : Math.min(words * runWeightPerWord, maxRunWeight);
  const hasName = places.some(({ position }, index) => position === places[index - 1]?.position);
  const pairs = weightOfPair(hasName ? 0 : 1, places.length);
  return 1 - (1 - pairs) * (1 - certainty * share ** 2);
}

/** Parts of one name of the query belong together; words of a long query are neighbours anywhere. */
const weightOfPair = (gap: number, places: number): number =>
  gap === 0 ? nameWeight : pairsWeight * Math.min(1, shortQuery / places);

const pairsWeight = 0.2;
const nameWeight = 0.5;

/** A query of more words is a sentence, of which some stand together anywhere. */
const shortQuery = 4;

/** Each word of a run makes it less likely that the run is chance. */
const runWeightPerWord = 0.1;
const maxRunWeight = 0.85;

/** Words farther apart than this are in different sentences. */
const windowSize = 12;

/** The best pair of two ascending lists: 1 if they are as far apart as in the query. */
function closeness(left: readonly number[], right: readonly number[], gap: number): number {
  let best = 0;
  let next = 0;
  for (const position of left) {
    while (next < right.length && elementAt(right, next) < position) next++;
    const after = right[next];
    const before = right[next - 1];
    if (after !== undefined) best = Math.max(best, closenessAfter(after - position, gap));
    if (before !== undefined) best = Math.max(best, 0.4 * nearness(position - before - 1));
    if (best === 1) break;
  }
  return best;
}

/** Parts of one name have the same position, and are as near as neighbours. */
function closenessAfter(distance: number, gap: number): number {
  if (distance <= 1 && gap <= 1) return 1;
  return distance === gap ? 1 : 0.8 * nearness(Math.abs(distance - gap));
}

const nearness = (distance: number): number => Math.max(0, 1 - distance / windowSize);

/** What the best part of the query that the passage repeats word for word adds. */
function longestRun(
  { places, weights }: ProximityQuery,
  positionsOf: (term: number) => readonly number[],
): number {
  if (places.length < minRunLength) return 0;
  const whole = places.reduce((sum, { term }) => sum + elementAt(weights, term), 0);
  let best = 0;
  // The run that ends at each position of the word before: its weight and number of words.
  let before: Runs = { positions: [], weights: [], lengths: [] };
  let place = 0;
  for (const { term, position } of places) {
    const positions = positionsOf(term);
    const runs: Runs = { positions, weights: [], lengths: [] };
    const gap = position - place;
    const weight = elementAt(weights, term) / whole;
    let next = 0;
    for (const found of positions) {
      while ((before.positions[next] ?? found) < found - gap) next++;
      const isNext = before.positions[next] === found - gap;
      const length = (isNext ? elementAt(before.lengths, next) : 0) + 1;
      const sum = (isNext ? elementAt(before.weights, next) : 0) + weight;
      runs.lengths.push(length);
      runs.weights.push(sum);
      if (length < minRunLength) continue;
      const certainty = Math.min(length * runWeightPerWord, maxRunWeight);
      best = Math.max(best, certainty * sum ** 2);
    }
    before = runs;
    place = position;
  }
  return best;
}

interface Runs {
  positions: readonly number[];
  weights: number[];
  lengths: number[];
}

/** Shorter runs are pairs. */
const minRunLength = 3;
