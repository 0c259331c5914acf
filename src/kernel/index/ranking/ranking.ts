import { elementAt } from "../../../text/arrays/element-at.ts";
import { float32At, float64At, uint8At, uint16At } from "../../../text/arrays/typed-element-at.ts";
import type { WordScore } from "../search-index.ts";
import { fieldBits, findRow, type PostingColumns } from "../segments/postings.ts";
import { indexesByValueDescending, replayable } from "./best-first.ts";

/** One word of a query with every token that matches it. */
export interface QueryTerm {
  /** As typed. */
  word: string;
  /** The tokens that match the word, with their postings. */
  variants: readonly TermVariant[];
  /** For a function word: what it counts, compared with another word of its rarity. */
  factor?: number;
  /** The parts of a name. They count where the whole name is missing, and less. */
  parts?: readonly QueryTerm[];
  /** For a rare word: a far more frequent spelling. It counts where the word is missing, and less. */
  frequent?: QueryTerm;
}

export interface TermVariant {
  token: string;
  /** How well the token matches the word: 1 for the word's own token, less for a similar spelling. */
  similarity: number;
  postings: PostingColumns;
  /** The indexed words with this token, if they are searched instead of the typed one. */
  spellings?: readonly string[];
}

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
 */
export function rankPassages(terms: readonly QueryTerm[], totals: IndexTotals): Ranking {
  const weights = weightsOf(terms, totals.passages);
  const averageLength = Math.max(totals.tokens / Math.max(totals.passages, 1), 1);
  const { size, slotOf, passageAt } = assignSlots(terms);
  const scores = new Float32Array(size);
  for (const [index, term] of terms.entries())
    addStrengths(scores, term, elementAt(weights, index));
  const slots = replayable(indexesByValueDescending(scores));
  return {
    *bestFirst() {
      for (const slot of slots()) yield passageAt(slot);
    },
    scoreOf: (passage) => Math.min(float32At(scores, slotOf(passage)), 1),
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

  /** Adds the strength of a term in each passage, times its weight. */
  function addStrengths(sums: Float32Array, term: QueryTerm, weight: number): void {
    const [variant] = term.variants;
    const substitute = substituteOf(term);
    if (substitute) addBetter(sums, term, substitute, weight);
    else if (variant && term.variants.length === 1) {
      addSaturated(sums, variant, weight);
    } else addTogether(sums, term.variants, weight);
  }

  /** The common case of a single token. */
  function addSaturated(
    sums: Float32Array,
    { similarity, postings }: TermVariant,
    weight: number,
  ): void {
    for (let row = 0; row < postings.count; row++) {
      const slot = slotOf(float64At(postings.passages, row));
      const frequency = similarity * weightedFrequencyAt(postings, row, averageLength);
      sums[slot] = float32At(sums, slot) + weight * saturate(frequency);
    }
  }

  /** The occurrences of all variants count as those of one word. */
  function addTogether(sums: Float32Array, variants: readonly TermVariant[], weight: number): void {
    const frequencies = new Float32Array(size);
    for (const { similarity, postings } of variants) {
      for (let row = 0; row < postings.count; row++) {
        const slot = slotOf(float64At(postings.passages, row));
        const frequency = similarity * weightedFrequencyAt(postings, row, averageLength);
        frequencies[slot] = float32At(frequencies, slot) + frequency;
      }
    }
    for (let slot = 0; slot < size; slot++) {
      const frequency = float32At(frequencies, slot);
      if (frequency > 0) sums[slot] = float32At(sums, slot) + weight * saturate(frequency);
    }
  }

  /** A word counts by its substitute where that says more than the word itself. */
  function addBetter(
    sums: Float32Array,
    { word, variants }: QueryTerm,
    { terms, share }: Substitute,
    weight: number,
  ): void {
    const whole = new Float32Array(size);
    addStrengths(whole, { word, variants }, weight);
    const together = new Float32Array(size);
    const shares = weightsOf(terms, totals.passages);
    for (const [index, term] of terms.entries()) {
      addStrengths(together, term, weight * share * elementAt(shares, index));
    }
    for (let slot = 0; slot < size; slot++) {
      const better = Math.max(float32At(whole, slot), float32At(together, slot));
      if (better > 0) sums[slot] = float32At(sums, slot) + better;
    }
  }

  /** The same for one passage. */
  function strengthIn(term: QueryTerm, passage: number): number {
    let frequency = 0;
    for (const { similarity, postings } of term.variants) {
      const row = findRow(postings, passage);
      if (row >= 0) frequency += similarity * weightedFrequencyAt(postings, row, averageLength);
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

/** Terms that together count for another one, as a share of it. */
interface Substitute {
  terms: readonly QueryTerm[];
  share: number;
}

const substituteOf = ({ parts, frequent }: QueryTerm): Substitute | undefined =>
  parts
    ? { terms: parts, share: partsShare }
    : frequent && { terms: [frequent], share: frequentShare };

/** The parts of a name that are all there count as this share of the name itself. */
const partsShare = 0.6;

/** Low enough that a title with the frequent word does not pass a mention of the rare one. */
const frequentShare = 0.4;

const occursIn = ({ variants }: QueryTerm, passage: number): boolean =>
  variants.some(({ postings }) => findRow(postings, passage) >= 0);

/** The share of each term: its rarity, and less for function words. */
function weightsOf(terms: readonly QueryTerm[], passages: number): number[] {
  const rarities = terms.map(
    (term) => (term.factor ?? 1) * inverseDocumentFrequency(passageFrequency(term), passages),
  );
  const sum = rarities.reduce((sum, rarity) => sum + rarity, 0) || 1;
  return rarities.map((rarity) => rarity / sum);
}

/** A word in one of these fields counts as this many occurrences in the body. */
const fieldWeight = { title: 3, headings: 2, path: 1.5, part: 0.4 };

/** BM25 parameters: `k1` limits the effect of repetition, `b` is the strength of length normalisation. */
const k1 = 1.2;
const b = 0.75;

/** Bodies shorter than this share of the average length get no further bonus for being short. */
const minLengthRatio = 0.3;

function weightedFrequencyAt(postings: PostingColumns, row: number, averageLength: number): number {
  const fieldMask = uint8At(postings.fieldMasks, row);
  const length = Math.max(float32At(postings.lengths, row) / averageLength, minLengthRatio);
  const bodyFrequency = uint16At(postings.frequencies, row) / (1 - b + b * length);
  return float64At(weightByFieldMask, fieldMask) + bodyFrequency;
}

/** The sum of the field weights for each combination of fields. */
const weightByFieldMask = Float64Array.from(
  { length: 16 },
  (_, fieldMask) =>
    (fieldMask & fieldBits.title ? fieldWeight.title : 0) +
    (fieldMask & fieldBits.headings ? fieldWeight.headings : 0) +
    (fieldMask & fieldBits.path ? fieldWeight.path : 0) +
    (fieldMask & fieldBits.part ? fieldWeight.part : 0),
);

const saturate = (frequency: number): number => frequency / (frequency + k1);

/** BM25's IDF: low for a word in every passage, highest for one in no passage, never negative. */
const inverseDocumentFrequency = (passages: number, all: number): number =>
  Math.log(1 + (Math.max(all - passages, 0) + 0.5) / (passages + 0.5));

const passageFrequency = ({ variants }: QueryTerm): number =>
  variants.reduce((sum, { postings }) => sum + wholeCount(postings), 0);

/** Names that contain a word say less of how common it is. */
const wholeCount = ({ count, partsOnly }: PostingColumns): number => count - partsOnly / 2;

/** Maps the passages that contain any of the terms to array indexes, in ascending order. */
interface PassageSlots {
  size: number;
  slotOf(passage: number): number;
  passageAt(slot: number): number;
}

/**
 * While the passage numbers are dense, the slot is the number less the first one. Where they are
 * sparse, because few passages match or many were removed, that array would be much larger than the
 * number of passages, and only those that occur are numbered.
 */
function assignSlots(terms: readonly QueryTerm[]): PassageSlots {
  let first = Number.POSITIVE_INFINITY;
  let last = 0;
  let postings = 0;
  const lists = terms.flatMap(postingsOf);
  for (const { count, passages } of lists) {
    if (count === 0) continue;
    first = Math.min(first, float64At(passages, 0));
    last = Math.max(last, float64At(passages, count - 1));
    postings += count;
  }
  const span = last - first + 1;
  if (postings > 0 && span <= postings * maxSlotsPerPosting) {
    return { size: span, slotOf: (passage) => passage - first, passageAt: (slot) => first + slot };
  }
  const all = new Set(lists.flatMap(({ count, passages }) => [...passages.subarray(0, count)]));
  const passages = Float64Array.from(all).sort();
  const slots = new Map([...passages].map((passage, slot) => [passage, slot]));
  return {
    size: passages.length,
    slotOf: (passage) => slots.get(passage) ?? -1,
    passageAt: (slot) => float64At(passages, slot),
  };
}

const postingsOf = (term: QueryTerm): PostingColumns[] => [
  ...term.variants.map(({ postings }) => postings),
  ...(substituteOf(term)?.terms ?? []).flatMap(postingsOf),
];

/** Scanning about this many slots takes as long as one lookup in a map. */
const maxSlotsPerPosting = 50;
