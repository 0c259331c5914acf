import { elementAt } from "../../../text/arrays/element-at.ts";
import { float32At, float64At, uint8At, uint16At } from "../../../text/arrays/typed-element-at.ts";
import type { WordScore } from "../search-index.ts";
import { fieldBits, findRow, type PostingColumns } from "../segments/postings.ts";
import { indexesByValueDescending, replayable } from "./best-first.ts";
import { type QueryTerm, substituteOf } from "./query-term.ts";
import { createLengthNorms, saturate, weightedFrequencyAt } from "./strength.ts";
import { createTermScorer, type WeightedTerm } from "./term-scorer.ts";
import { allPassages, type ScoredPassages, topPassages } from "./top-passages.ts";

export interface IndexTotals {
  passages: number;
  /** Tokens in the bodies of all passages. */
  tokens: number;
}

export interface Ranking {
  /** Every passage that contains one of the words, best first; equal scores by passage number. */
  bestFirst(): Generator<number>;
  /** The weighted share of the query that the passage matches, from 0 to 1. */
  scoreOf(passage: number): number;
  /** The share of each term in the score, in the order of the terms; their sum is 1. */
  weights: readonly number[];
  /** What each word contributes to the score of a passage. */
  explain(passage: number): WordScore[];
}

/**
 * Scores passages for one query with BM25 over weighted fields (BM25F), normalised to 0..1: the sum
 * is divided by its upper bound. So half of the words give about half of the score in any
 * collection, and scores of different queries can be compared.
 *
 * Most callers need only the best passages. The scores of the `expected` best ones are kept; for a
 * caller that needs more, all passages are scored again and sorted.
 */
export function rankPassages(
  terms: readonly QueryTerm[],
  totals: IndexTotals,
  expected: number,
): Ranking {
  const weighted = weigh(terms, totals.passages, 1);
  const weights = weighted.map(({ weight }) => weight);
  const norms = createLengthNorms(Math.max(totals.tokens / Math.max(totals.passages, 1), 1));
  const scorers = () => weighted.map((term) => createTermScorer(term, norms));
  const best = expected < Number.POSITIVE_INFINITY ? topPassages(scorers(), expected) : undefined;
  const bestScores = new Map(
    best && [...best.passages].map((passage, index) => [passage, float32At(best.scores, index)]),
  );
  let scored: (ScoredPassages & { bestFirst(): Generator<number> }) | undefined;
  const allScored = () => {
    if (scored) return scored;
    const all = allPassages(scorers(), postingCount(terms));
    scored = { ...all, bestFirst: replayable(indexesByValueDescending(all.scores)) };
    return scored;
  };
  return {
    *bestFirst() {
      if (best) yield* best.passages;
      if (best && best.passages.length < expected) return;
      let rank = 0;
      const { passages, bestFirst } = allScored();
      for (const index of bestFirst()) {
        if (rank++ >= bestScores.size) yield float64At(passages, index);
      }
    },
    scoreOf(passage) {
      const known = bestScores.get(passage);
      if (known !== undefined) return Math.min(known, 1);
      const { passages, scores } = allScored();
      const index = indexOfNumber(passages, passage);
      return index < 0 ? 0 : Math.min(float32At(scores, index), 1);
    },
    weights,
    explain: (passage) =>
      terms.map((term, index) => {
        const found = { title: 0, headings: 0, path: 0, body: 0 };
        const read: string[] = [];
        let names = 0;
        const isRare = term.frequent !== undefined && !occursIn(term, passage);
        const { variants } = isRare && term.frequent ? term.frequent : term;
        for (const { postings, spellings = [] } of variants) {
          const row = findRow(postings, passage);
          if (row < 0) continue;
          read.push(...spellings);
          const fieldMask = uint8At(postings.fieldMasks, row);
          found.title += fieldMask & fieldBits.title ? 1 : 0;
          found.headings += fieldMask & fieldBits.headings ? 1 : 0;
          found.path += fieldMask & fieldBits.path ? 1 : 0;
          found.body += uint16At(postings.frequencies, row);
          if (fieldMask & fieldBits.part) names = 1;
        }
        for (const part of term.parts ?? []) if (occursIn(part, passage)) names++;
        const weight = elementAt(weights, index);
        const strength = strengthIn(term, passage);
        return {
          word: term.word,
          ...(read.length > 0 && { read }),
          ...(read.length > 0 && isRare && { rare: true as const }),
          ...(term.factor !== undefined && { minor: true as const }),
          weight,
          strength,
          found: names > 0 ? { ...found, names } : found,
        };
      }),
  };

  /** What a term contributes to the score of one passage, from 0 to 1. */
  function strengthIn(term: QueryTerm, passage: number): number {
    let frequency = 0;
    for (const { similarity, postings } of term.variants) {
      const row = findRow(postings, passage);
      if (row >= 0) frequency += similarity * weightedFrequencyAt(postings, row, norms);
    }
    const substitute = substituteOf(term);
    if (!substitute) return saturate(frequency);
    const shares = weightsOf(substitute.terms, totals.passages);
    const together = substitute.terms.reduce(
      (sum, part, index) => sum + elementAt(shares, index) * strengthIn(part, passage),
      0,
    );
    return Math.max(saturate(frequency), substitute.share * together);
  }
}

const occursIn = ({ variants }: QueryTerm, passage: number): boolean =>
  variants.some(({ postings }) => findRow(postings, passage) >= 0);

/** The terms with their shares of a weight, and their substitutes with theirs. */
function weigh(terms: readonly QueryTerm[], passages: number, whole: number): WeightedTerm[] {
  const shares = weightsOf(terms, passages);
  return terms.map((term, index) => {
    const weight = whole * elementAt(shares, index);
    const { terms = [], share = 0 } = substituteOf(term) ?? {};
    return { term, weight, substitute: weigh(terms, passages, weight * share) };
  });
}

/** The share of each term: its rarity, and less for function words. */
function weightsOf(terms: readonly QueryTerm[], passages: number): number[] {
  const rarities = terms.map(
    (term) => (term.factor ?? 1) * inverseDocumentFrequency(passageFrequency(term), passages),
  );
  const sum = rarities.reduce((sum, rarity) => sum + rarity, 0) || 1;
  return rarities.map((rarity) => rarity / sum);
}

/** BM25's IDF: low for a word in every passage, highest for one in no passage, never negative. */
const inverseDocumentFrequency = (passages: number, all: number): number =>
  Math.log(1 + (Math.max(all - passages, 0) + 0.5) / (passages + 0.5));

const passageFrequency = ({ variants }: QueryTerm): number =>
  variants.reduce((sum, { postings }) => sum + wholeCount(postings), 0);

/** Names that contain a word say less of how common it is. */
const wholeCount = ({ count, partsOnly }: PostingColumns): number => count - partsOnly / 2;

/** The index of a number in an ascending array, or -1. */
function indexOfNumber(ascending: Float64Array, number: number): number {
  let [low, high] = [0, ascending.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const candidate = float64At(ascending, middle);
    if (candidate === number) return middle;
    if (candidate < number) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** The number of postings of all terms and their substitutes. */
const postingCount = (terms: readonly QueryTerm[]): number =>
  terms.reduce(
    (sum, term) =>
      sum +
      term.variants.reduce((all, { postings }) => all + postings.count, 0) +
      postingCount(substituteOf(term)?.terms ?? []),
    0,
  );
