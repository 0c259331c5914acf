import { elementAt } from "../../../text/arrays/element-at.ts";
import {
  type AgreementSegment,
  cohensKappa,
  countDecisions,
  countVotes,
  krippendorffsAlpha,
  type PairDecisions,
  percentAgreement,
  qualcoderKappa,
  votesOfPair,
} from "../../../text/spans/coder-agreement.ts";
import type { Comparison } from "./comparison.ts";
import { type Cell, type Report, roundTo4, titledColumns } from "./report.ts";

/** Agreement of coders, for each code and over all codes. */
export function agreement(comparison: Comparison): Report {
  const { codes, sides, notes } = comparison;
  const counts = codes.map((code) => ({ code, ...countAgreementDecisions(comparison, code.id) }));
  const all = { code: { id: null, name: "All codes" }, ...sumCounts(counts, sides.length) };
  return {
    title: "Agreement of coders",
    notes: [
      ...notes,
      "All codes: each character with each code is one decision.",
      "Kappa and alpha are empty if no decisions vary. 'QualCoder' is the value that QualCoder prints as kappa.",
    ],
    tables: [
      {
        title: "Agreement",
        columns: titledColumns({
          code_id: "Code id",
          code_name: "Code",
          coder_a: "Coder",
          coder_b: "Other coder",
          characters: "Characters",
          both: "Both",
          only_a: "Only coder",
          only_b: "Only other",
          neither: "Neither",
          agreement: "Agreement",
          coded_agreement: "Agreement on coded",
          kappa: "Cohen's kappa",
          alpha: "Krippendorff's alpha",
          kappa_qualcoder: "QualCoder",
        }),
        rows:
          counts.length === 0 ? [] : [all, ...counts].flatMap((counts) => rowsOf(sides, counts)),
      },
    ],
  };
}

interface Counts {
  /** For each pair of sides, in the order of `pairsOf`. */
  pairs: PairDecisions[];
  votes: number[];
}

/** All pairs of indexes. */
const pairsOf = (sides: number): [number, number][] =>
  Array.from({ length: sides }, (_, a) => a).flatMap((a) =>
    Array.from({ length: sides - a - 1 }, (_, step): [number, number] => [a, a + step + 1]),
  );

/** A text in which no side used the code is one segment that all of them left out. */
function countAgreementDecisions(
  { sources, sides, isMarked, pieces }: Comparison,
  code: number,
): Counts {
  const own = sources.filter(({ id }) => isMarked(id, code));
  const others = sources.filter(({ id }) => !isMarked(id, code));
  const end = others.reduce((sum, { text }) => sum + text.length, 0);
  const unmarked: AgreementSegment[] = [{ start: 0, end, markedBy: sides.map(() => false) }];
  const counts = [...own.map(({ id }) => pieces(id, code)), unmarked].map((cut) => ({
    pairs: pairsOf(sides.length).map(([a, b]) => countDecisions(cut, a, b)),
    votes: countVotes(cut, sides.length),
  }));
  return sumCounts(counts, sides.length);
}

function sumCounts(counts: readonly Counts[], sides: number): Counts {
  const sum = (numberOf: (counts: Counts) => number | undefined) =>
    counts.reduce((total, counts) => total + (numberOf(counts) ?? 0), 0);
  return {
    pairs: pairsOf(sides).map((_, index) => ({
      both: sum(({ pairs }) => pairs[index]?.both),
      first: sum(({ pairs }) => pairs[index]?.first),
      second: sum(({ pairs }) => pairs[index]?.second),
      neither: sum(({ pairs }) => pairs[index]?.neither),
    })),
    votes: Array.from({ length: sides + 1 }, (_, index) => sum(({ votes }) => votes[index])),
  };
}

/** A row for each pair of sides, after a row for all of them if there are more than two. */
function rowsOf(
  sides: readonly string[],
  { code, pairs, votes }: Counts & { code: { id: number | null; name: string } },
): Cell[][] {
  const head = [code.id, code.name];
  const ofPairs = pairsOf(sides.length).map(([a, b], index): Cell[] => {
    const own = pairs[index] ?? { both: 0, first: 0, second: 0, neither: 0 };
    const { both, first, second, neither } = own;
    const coded = both + first + second;
    return [
      ...head,
      sides[a] ?? null,
      sides[b] ?? null,
      coded + neither,
      ...[both, first, second, neither],
      roundTo4(percentAgreement(votesOfPair(own))),
      roundTo4(coded === 0 ? undefined : both / coded),
      roundTo4(cohensKappa(own)),
      roundTo4(krippendorffsAlpha(votesOfPair(own))),
      roundTo4(qualcoderKappa(own)),
    ];
  });
  if (sides.length === 2) return ofPairs;
  const units = votes.reduce((sum, counts) => sum + counts, 0);
  const [byNone, byAll] = [elementAt(votes, 0), elementAt(votes, votes.length - 1)];
  const ofAll: Cell[] = [
    ...head,
    `all ${sides.length}`,
    null,
    units,
    ...[byAll, null, null, byNone],
    roundTo4(percentAgreement(votes)),
    roundTo4(units === byNone ? undefined : byAll / (units - byNone)),
    null,
    roundTo4(krippendorffsAlpha(votes)),
    null,
  ];
  return [ofAll, ...ofPairs];
}
