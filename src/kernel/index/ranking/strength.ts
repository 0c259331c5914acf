import {
  float32At,
  float64At,
  integerAt,
  uint8At,
  uint16At,
} from "../../../text/arrays/typed-element-at.ts";
import { fieldBits, lengthOfScale, type PostingColumns } from "../segments/postings.ts";

/** A word in one of these fields counts as this many occurrences in the body. */
const fieldWeight = { title: 3, headings: 2, path: 1.5, part: 0.4 };

/** BM25 parameters: `k1` limits the effect of repetition, `b` is the strength of length normalisation. */
const k1 = 1.2;
const b = 0.75;

/** Bodies shorter than this share of the average length get no further bonus for being short. */
const minLengthRatio = 0.3;

/** What frequencies in the body are divided by, for each step of the scale of lengths. */
export type LengthNorms = Float64Array;

export const createLengthNorms = (averageLength: number): LengthNorms =>
  Float64Array.from({ length: 256 }, (_, scale) => {
    const length = Math.max(lengthOfScale(scale) / averageLength, minLengthRatio);
    return 1 - b + b * length;
  });

/** The frequency of a token in a passage, over all fields and normalised by length. */
export function weightedFrequencyAt(
  { fieldMasks, frequencies, scales }: PostingColumns,
  row: number,
  norms: LengthNorms,
): number {
  const bodyFrequency = uint16At(frequencies, row) / float64At(norms, uint8At(scales, row));
  return float64At(weightByFieldMask, uint8At(fieldMasks, row)) + bodyFrequency;
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

/** From 0 to 1. */
export const saturate = (frequency: number): number => frequency / (frequency + k1);

/** A part of a posting list in a window of consecutive passages. */
export interface RowRange {
  from: number;
  to: number;
  /** The first passage of the window. */
  first: number;
}

/** Adds the frequency of a token in the passages of a window. */
export function addFrequencies(
  sums: Float32Array,
  postings: PostingColumns,
  { from, to, first }: RowRange,
  similarity: number,
  norms: LengthNorms,
): void {
  const { passages } = postings;
  for (let row = from; row < to; row++) {
    const slot = integerAt(passages, row) - first;
    const frequency = similarity * weightedFrequencyAt(postings, row, norms);
    sums[slot] = float32At(sums, slot) + frequency;
  }
}

/** Adds what a token alone contributes to the scores of the passages of a window. */
export function addStrengths(
  sums: Float32Array,
  postings: PostingColumns,
  { from, to, first }: RowRange,
  similarity: number,
  norms: LengthNorms,
  weight: number,
): void {
  const { passages } = postings;
  for (let row = from; row < to; row++) {
    const slot = integerAt(passages, row) - first;
    const frequency = similarity * weightedFrequencyAt(postings, row, norms);
    sums[slot] = float32At(sums, slot) + weight * saturate(frequency);
  }
}
