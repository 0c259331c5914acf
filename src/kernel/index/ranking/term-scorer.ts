import { elementAt } from "../../../text/arrays/element-at.ts";
import { float32At, integerAt } from "../../../text/arrays/typed-element-at.ts";
import { firstRowFrom, type PostingColumns } from "../segments/postings.ts";
import type { QueryTerm, TermVariant } from "./query-term.ts";
import {
  addFrequencies,
  addStrengths,
  type LengthNorms,
  type RowRange,
  saturate,
} from "./strength.ts";

/** Passages are scored in windows of consecutive numbers, whose sums fit into the processor's cache. */
export const windowSize = 4_096;

/** Scores the passages of a term in ascending order, one window after another. */
export interface TermScorer {
  /** The next passage with the term; infinite after the last one. */
  next(): number;
  /** Adds the strength of the term in the passages of a window, times its weight, and moves past it. */
  add(sums: Float32Array, first: number): void;
}

/** A term with its share of the score, and the terms that can count for it with theirs. */
export interface WeightedTerm {
  term: QueryTerm;
  weight: number;
  substitute: readonly WeightedTerm[];
}

export function createTermScorer(
  { term, weight, substitute }: WeightedTerm,
  norms: LengthNorms,
): TermScorer {
  const own = createVariantScorer(term.variants, weight, norms);
  return substitute.length > 0 ? createSubstituteScorer(own, substitute, norms) : own;
}

function createVariantScorer(
  variants: readonly TermVariant[],
  weight: number,
  norms: LengthNorms,
): TermScorer {
  const [variant] = variants;
  return variant && variants.length === 1
    ? createTokenScorer(variant, weight, norms)
    : createSumScorer(variants, weight, norms);
}

/** The common case of a single token. */
function createTokenScorer(
  { similarity, postings }: TermVariant,
  weight: number,
  norms: LengthNorms,
): TermScorer {
  const cursor = createCursor(postings);
  return {
    next: cursor.next,
    add: (sums, first) =>
      addStrengths(sums, postings, cursor.readWindow(first), similarity, norms, weight),
  };
}

/** The occurrences of all variants count as those of one word. */
function createSumScorer(
  variants: readonly TermVariant[],
  weight: number,
  norms: LengthNorms,
): TermScorer {
  const cursors = variants.map(({ postings }) => createCursor(postings));
  const frequencies = new Float32Array(windowSize);
  return {
    next: () => nextOf(cursors),
    add(sums, first) {
      for (const [index, { similarity, postings }] of variants.entries()) {
        const rows = elementAt(cursors, index).readWindow(first);
        addFrequencies(frequencies, postings, rows, similarity, norms);
      }
      for (let slot = 0; slot < windowSize; slot++) {
        const frequency = float32At(frequencies, slot);
        if (frequency > 0) sums[slot] = float32At(sums, slot) + weight * saturate(frequency);
      }
      frequencies.fill(0);
    },
  };
}

/** A word counts by its substitute where that says more than the word itself. */
function createSubstituteScorer(
  word: TermScorer,
  weighted: readonly WeightedTerm[],
  norms: LengthNorms,
): TermScorer {
  const substitute = weighted.map((term) => createTermScorer(term, norms));
  const whole = new Float32Array(windowSize);
  const together = new Float32Array(windowSize);
  return {
    next: () => Math.min(word.next(), nextOf(substitute)),
    add(sums, first) {
      word.add(whole, first);
      for (const term of substitute) term.add(together, first);
      for (let slot = 0; slot < windowSize; slot++) {
        const better = Math.max(float32At(whole, slot), float32At(together, slot));
        if (better > 0) sums[slot] = float32At(sums, slot) + better;
      }
      whole.fill(0);
      together.fill(0);
    },
  };
}

/** The next passage of any of them. */
export function nextOf(sources: readonly Pick<TermScorer, "next">[]): number {
  let first = Number.POSITIVE_INFINITY;
  for (const { next } of sources) first = Math.min(first, next());
  return first;
}

/** A place in a posting list that moves forward. */
interface Cursor {
  next(): number;
  /** The rows of a window, past which the cursor moves. */
  readWindow(first: number): RowRange;
}

function createCursor(postings: PostingColumns): Cursor {
  const { passages, count } = postings;
  let row = 0;
  return {
    next: () => (row < count ? integerAt(passages, row) : Number.POSITIVE_INFINITY),
    readWindow(first) {
      const from = row;
      row = firstRowFrom(postings, first + windowSize, from);
      return { from, to: row, first };
    },
  };
}
