import { elementAt } from "../arrays/element-at.ts";

/** A range of a text in the caller's unit of analysis. `end` is exclusive. */
export interface UnitRange {
  start: number;
  end: number;
}

/** A range in which each coder marks everything or nothing; `markedBy` has a value per coder. */
export interface AgreementSegment extends UnitRange {
  markedBy: readonly boolean[];
}

/**
 * Cuts a text wherever a mark of any coder starts or ends. Overlapping marks of one coder count
 * once; marks are clipped to the text.
 *
 *     first     [----]          segments  first | both | second | neither
 *     second       [-----]
 */
export function splitByMarks(
  coders: readonly (readonly UnitRange[])[],
  length: number,
): AgreementSegment[] {
  const openMarks = coders.map(() => 0);
  const segments: AgreementSegment[] = [];
  let start = 0;
  for (const { offset, coder, change } of markEdges(coders, length)) {
    appendSegment(segments, { start, end: offset, markedBy: openMarks.map((count) => count > 0) });
    openMarks[coder] = elementAt(openMarks, coder) + change;
    start = offset;
  }
  appendSegment(segments, { start, end: length, markedBy: openMarks.map(() => false) });
  return segments;
}

function markEdges(coders: readonly (readonly UnitRange[])[], length: number) {
  return coders
    .flatMap((marks, coder) =>
      marks
        .map(({ start, end }) => ({ start: Math.max(0, start), end: Math.min(length, end) }))
        .filter(({ start, end }) => start < end)
        .flatMap(({ start, end }) => [
          { offset: start, coder, change: 1 },
          { offset: end, coder, change: -1 },
        ]),
    )
    .sort((a, b) => a.offset - b.offset);
}

/** Appends a segment, or extends the last one if the same coders mark both. */
function appendSegment(segments: AgreementSegment[], segment: AgreementSegment): void {
  if (segment.start >= segment.end) return;
  const last = segments.at(-1);
  if (last?.markedBy.every((marked, coder) => marked === segment.markedBy[coder]))
    last.end = segment.end;
  else segments.push(segment);
}

/** The number of units that one coder marks. */
export const markedLength = (
  marks: readonly UnitRange[],
  length = Number.MAX_SAFE_INTEGER,
): number => unitsWhere(splitByMarks([marks], length), ([marked]) => marked === true);

/** The decisions of two coders, in units. */
export interface PairDecisions {
  both: number;
  first: number;
  second: number;
  neither: number;
}

export function countDecisions(
  segments: readonly AgreementSegment[],
  firstCoder: number,
  secondCoder: number,
): PairDecisions {
  const count = (first: boolean, second: boolean) =>
    unitsWhere(segments, (by) => by[firstCoder] === first && by[secondCoder] === second);
  return {
    both: count(true, true),
    first: count(true, false),
    second: count(false, true),
    neither: count(false, false),
  };
}

/** The number of units by how many coders mark them: none, one, two, and so on. */
export const countVotes = (segments: readonly AgreementSegment[], coders: number): number[] =>
  Array.from({ length: coders + 1 }, (_, votes) =>
    unitsWhere(segments, (by) => by.filter((marked) => marked).length === votes),
  );

const unitsWhere = (
  segments: readonly AgreementSegment[],
  matches: (by: readonly boolean[]) => boolean,
): number =>
  segments.reduce(
    (sum, { start, end, markedBy }) => (matches(markedBy) ? sum + end - start : sum),
    0,
  );

/** The decisions of two coders in the form of `countVotes`. */
export const votesOfPair = ({ both, first, second, neither }: PairDecisions): number[] => [
  neither,
  first + second,
  both,
];

/**
 * Cohen's kappa for binary decisions: agreement beyond chance, given how much each coder marks.
 * Undefined if both mark everything or nothing, because chance agreement is then 1.
 */
export function cohensKappa({ both, first, second, neither }: PairDecisions): number | undefined {
  const total = both + first + second + neither;
  const [byFirst, bySecond] = [both + first, both + second];
  if (byFirst === bySecond && (byFirst === 0 || byFirst === total)) return undefined;
  const observed = (both + neither) / total;
  const expected = (byFirst * bySecond + (total - byFirst) * (total - bySecond)) / (total * total);
  return (observed - expected) / (1 - expected);
}

/**
 * Krippendorff's alpha for binary decisions of any number of coders, from `countVotes`. Undefined
 * if there is no variation or only one coder.
 */
export function krippendorffsAlpha(votes: readonly number[]): number | undefined {
  const coders = votes.length - 1;
  const values = coders * sumOf(votes);
  const marked = sumOf(votes.map((units, count) => units * count));
  if (coders < 2 || marked === 0 || marked === values) return undefined;
  const differing = countDisagreements(votes) / (coders - 1);
  return 1 - ((values - 1) * differing) / (marked * (values - marked));
}

/** Percent agreement as a fraction, averaged over all pairs of coders. */
export function percentAgreement(votes: readonly number[]): number | undefined {
  const coders = votes.length - 1;
  const decisions = (sumOf(votes) * coders * (coders - 1)) / 2;
  return decisions === 0 ? undefined : 1 - countDisagreements(votes) / decisions;
}

/** The number of disagreements, summed over all units and all pairs of coders. */
const countDisagreements = (votes: readonly number[]): number =>
  sumOf(votes.map((units, count) => units * count * (votes.length - 1 - count)));

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

/**
 * The statistic that QualCoder reports as kappa, for comparison with its tables. Unlike Cohen's
 * kappa it ignores uncoded text, and multiplies the two chance terms instead of adding them.
 */
export function qualcoderKappa({ both, first, second }: PairDecisions): number | undefined {
  const coded = both + first + second;
  if (coded === 0) return undefined;
  const [byFirst, bySecond] = [both + first, both + second];
  const expected =
    ((byFirst / coded) * (bySecond / coded) * (coded - byFirst) * (coded - bySecond)) /
    (coded * coded);
  return (both / coded - expected) / (1 - expected);
}
