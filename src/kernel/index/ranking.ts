import type { WordScore } from "./contract.ts";
import { type PostingColumns, placeOf } from "./postings.ts";

/** One word of a query with every token that counts for it. */
export interface Term {
  /** As it was typed. */
  word: string;
  /** Where the word stands under each token that is taken for it. */
  readings: readonly Reading[];
}

export interface Reading {
  /** How well the token stands for the word: 1 for its own, less for a near spelling. */
  closeness: number;
  postings: PostingColumns;
  /** The words that became this token, where they are looked for instead of the typed one. */
  spellings?: readonly string[];
}

/** What an index as a whole looks like. */
export interface Totals {
  passages: number;
  /** Tokens of all bodies together. */
  tokens: number;
}

export interface Ranking {
  /** Every passage that holds one of the words, best first; equal ones in their own order. */
  bestFirst(): Generator<number>;
  scoreOf(passage: number): number;
  /** What each word gave to the score of a passage. */
  wordsOf(passage: number): WordScore[];
}

/**
 * Scores passages for one query by BM25 over weighted fields, put on a scale from 0 to 1: the sum
 * is divided by what a passage would get that speaks of nothing else. So half of the words give
 * about half of the score, whatever the library, and a score of one query can be compared with
 * that of another.
 */
export function rank(terms: readonly Term[], totals: Totals): Ranking {
  const rarities = terms.map((term) => rarityOf(passagesOf(term), totals.passages));
  const whole = rarities.reduce((sum, part) => sum + part, 0) || 1;
  const averageLength = Math.max(totals.tokens / Math.max(totals.passages, 1), 1);
  const { size, slotOf, passageAt } = slotsOf(terms);
  const sums = new Float32Array(size);
  for (const [place, { readings }] of terms.entries()) {
    const weight = (rarities[place] ?? 0) / whole;
    const frequencies = readings.length > 1 ? new Float32Array(size) : undefined;
    for (const { closeness, postings } of readings) {
      for (let row = 0; row < postings.count; row++) {
        const at = slotOf(postings.passages[row] ?? 0);
        const frequency = closeness * frequencyAt(postings, row, averageLength);
        if (frequencies) frequencies[at] = (frequencies[at] ?? 0) + frequency;
        else sums[at] = (sums[at] ?? 0) + weight * saturated(frequency);
      }
    }
    frequencies?.forEach((frequency, at) => {
      if (frequency > 0) sums[at] = (sums[at] ?? 0) + weight * saturated(frequency);
    });
  }
  return {
    *bestFirst() {
      for (const at of descending(sums)) yield passageAt(at);
    },
    scoreOf: (passage) => shown(sums[slotOf(passage)] ?? 0),
    wordsOf: (passage) =>
      terms.map(({ word, readings }, place) => {
        const found = { title: 0, headings: 0, path: 0, body: 0 };
        const read: string[] = [];
        let frequency = 0;
        for (const { closeness, postings, spellings = [] } of readings) {
          const row = rowOf(postings, passage);
          if (row < 0) continue;
          read.push(...spellings);
          const places = postings.places[row] ?? 0;
          found.title += places & placeOf.title ? 1 : 0;
          found.headings += places & placeOf.headings ? 1 : 0;
          found.path += places & placeOf.path ? 1 : 0;
          found.body += postings.times[row] ?? 0;
          frequency += closeness * frequencyAt(postings, row, averageLength);
        }
        const weight = (rarities[place] ?? 0) / whole;
        const strength = saturated(frequency);
        return { word, ...(read.length > 0 && { read }), weight, strength, found };
      }),
  };
}

/** How often a word in a field counts as one in the body. */
const fieldWeight = { title: 4, headings: 2, path: 1.5 };

/** The two constants of BM25: how soon repetition stops counting, and how much length takes away. */
const k1 = 1.2;
const b = 0.75;

/** A passage of a few words is not taken for better than one of a third of the usual length. */
const shortest = 0.3;

function frequencyAt(postings: PostingColumns, row: number, averageLength: number): number {
  const places = postings.places[row] ?? 0;
  const length = Math.max((postings.lengths[row] ?? 0) / averageLength, shortest);
  return (weightOfPlaces[places] ?? 0) + (postings.times[row] ?? 0) / (1 - b + b * length);
}

/** The sum of the weights of every combination of fields. */
const weightOfPlaces = Array.from(
  { length: 8 },
  (_, places) =>
    (places & placeOf.title ? fieldWeight.title : 0) +
    (places & placeOf.headings ? fieldWeight.headings : 0) +
    (places & placeOf.path ? fieldWeight.path : 0),
);

const saturated = (frequency: number): number => frequency / (frequency + k1);

/** A word that stands everywhere says little; one that nobody wrote still was asked for. */
const rarityOf = (passages: number, all: number): number =>
  Math.log(1 + (Math.max(all - passages, 0) + 0.5) / (passages + 0.5));

const passagesOf = ({ readings }: Term): number =>
  readings.reduce((sum, { postings }) => sum + postings.count, 0);

/** Spreads the scale: one mention of everything asked for is already a good answer. */
const shown = (reached: number): number => 1 - (1 - Math.min(reached, 1)) ** 2;

/** A place for each passage that any of the terms names, in the order of the passages. */
interface Slots {
  size: number;
  slotOf(passage: number): number;
  passageAt(slot: number): number;
}

/**
 * A passage's own number is its place while numbers are dense. Where few of them are named, or
 * years of changes drove them apart, the places would be more than the passages by far, and those
 * that are named are counted instead.
 */
function slotsOf(terms: readonly Term[]): Slots {
  let first = Number.POSITIVE_INFINITY;
  let last = 0;
  let named = 0;
  const lists = terms.flatMap(({ readings }) => readings.map(({ postings }) => postings));
  for (const { count, passages } of lists) {
    if (count === 0) continue;
    first = Math.min(first, passages[0] ?? 0);
    last = Math.max(last, passages[count - 1] ?? 0);
    named += count;
  }
  const span = last - first + 1;
  if (named > 0 && span <= named * mostPlacesPerPassage) {
    return { size: span, slotOf: (passage) => passage - first, passageAt: (slot) => first + slot };
  }
  const all = new Set(lists.flatMap(({ count, passages }) => [...passages.subarray(0, count)]));
  const passages = Float64Array.from(all).sort();
  const slots = new Map([...passages].map((passage, slot) => [passage, slot]));
  return {
    size: passages.length,
    slotOf: (passage) => slots.get(passage) ?? -1,
    passageAt: (slot) => passages[slot] ?? 0,
  };
}

/** About as many places are walked through in the time in which one passage is looked up. */
const mostPlacesPerPassage = 50;

/** Most callers want a few, and sorting all of what a frequent word brings would be most of the work. */
const fewAtFirst = 200;
const bins = 512;

/** The places of all values above 0, the highest first; equal ones in ascending order. */
function* descending(values: Float32Array): Generator<number> {
  const counts = new Uint32Array(bins + 1);
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? 0;
    if (value === 0) continue;
    const bin = binOf(value);
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  let lowest = bins;
  for (let reached = counts[lowest] ?? 0; lowest > 0 && reached < fewAtFirst; ) {
    reached += counts[--lowest] ?? 0;
  }
  const among = (isIn: (bin: number) => boolean): number[] => {
    const places: number[] = [];
    for (let at = 0; at < values.length; at++) {
      const value = values[at] ?? 0;
      if (value > 0 && isIn(binOf(value))) places.push(at);
    }
    return places.sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || a - b);
  };
  yield* among((bin) => bin >= lowest);
  if (lowest > 0) yield* among((bin) => bin < lowest);
}

const binOf = (value: number): number => Math.min(Math.floor(value * bins), bins);

/** The row of a passage in ascending columns, or -1. */
function rowOf({ passages, count }: PostingColumns, passage: number): number {
  let low = 0;
  let high = count - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = passages[middle] ?? 0;
    if (found === passage) return middle;
    if (found < passage) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
