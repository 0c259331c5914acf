import {
  agreementOf,
  cohensKappa,
  type Decisions,
  decisionsOf,
  krippendorffsAlpha,
  type Piece,
  qualcoderKappa,
  votesIn,
  votesOf,
} from "../../../text/agreement.ts";
import type { Comparison } from "./comparison.ts";
import { type Cell, columnsOf, type Report, rounded } from "./report.ts";

/** How far coders agree: for each code, and over all codes as one. */
export function agreement(comparison: Comparison): Report {
  const { codes, sides, notes } = comparison;
  const counts = codes.map((code) => ({ code, ...countsOf(comparison, code.id) }));
  const all = { code: { id: null, name: "All codes" }, ...addedUp(counts, sides.length) };
  return {
    title: "Agreement of coders",
    notes: [
      ...notes,
      "All codes: each character with each code is one decision.",
      "Kappa and alpha are empty where nobody's decisions vary. 'QualCoder' is the figure that QualCoder prints as kappa.",
    ],
    tables: [
      {
        title: "Agreement",
        columns: columnsOf({
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
        rows: counts.length === 0 ? [] : [all, ...counts].flatMap((one) => rowsOf(sides, one)),
      },
    ],
  };
}

interface Counts {
  /** For each pair of sides, in the order of `pairsOf`. */
  pairs: Decisions[];
  votes: number[];
}

/** Every two of so many, each once. */
const pairsOf = (sides: number): [number, number][] =>
  Array.from({ length: sides }, (_, a) => a).flatMap((a) =>
    Array.from({ length: sides - a - 1 }, (_, step): [number, number] => [a, a + step + 1]),
  );

/** Texts in which nobody gave the code are one long piece that all of them left out. */
function countsOf({ sources, sides, isMarked, pieces }: Comparison, code: number): Counts {
  const own = sources.filter(({ id }) => isMarked(id, code));
  const others = sources.filter(({ id }) => !isMarked(id, code));
  const end = others.reduce((sum, { text }) => sum + text.length, 0);
  const unmarked: Piece[] = [{ start: 0, end, by: sides.map(() => false) }];
  const counts = [...own.map(({ id }) => pieces(id, code)), unmarked].map((cut) => ({
    pairs: pairsOf(sides.length).map(([a, b]) => decisionsOf(cut, a, b)),
    votes: votesOf(cut, sides.length),
  }));
  return addedUp(counts, sides.length);
}

function addedUp(counts: readonly Counts[], sides: number): Counts {
  const sum = (numberOf: (one: Counts) => number | undefined) =>
    counts.reduce((total, one) => total + (numberOf(one) ?? 0), 0);
  return {
    pairs: pairsOf(sides).map((_, place) => ({
      both: sum(({ pairs }) => pairs[place]?.both),
      first: sum(({ pairs }) => pairs[place]?.first),
      second: sum(({ pairs }) => pairs[place]?.second),
      neither: sum(({ pairs }) => pairs[place]?.neither),
    })),
    votes: Array.from({ length: sides + 1 }, (_, place) => sum(({ votes }) => votes[place])),
  };
}

/** A row for each pair; where there are more than two sides, one for all of them before. */
function rowsOf(
  sides: readonly string[],
  { code, pairs, votes }: Counts & { code: { id: number | null; name: string } },
): Cell[][] {
  const head = [code.id, code.name];
  const ofPairs = pairsOf(sides.length).map(([a, b], place): Cell[] => {
    const own = pairs[place] ?? { both: 0, first: 0, second: 0, neither: 0 };
    const { both, first, second, neither } = own;
    const coded = both + first + second;
    return [
      ...head,
      sides[a] ?? null,
      sides[b] ?? null,
      coded + neither,
      ...[both, first, second, neither],
      rounded(agreementOf(votesIn(own))),
      rounded(coded === 0 ? undefined : both / coded),
      rounded(cohensKappa(own)),
      rounded(krippendorffsAlpha(votesIn(own))),
      rounded(qualcoderKappa(own)),
    ];
  });
  if (sides.length === 2) return ofPairs;
  const units = votes.reduce((sum, one) => sum + one, 0);
  const ofAll: Cell[] = [
    ...head,
    `all ${sides.length}`,
    null,
    units,
    ...[votes.at(-1) ?? 0, null, null, votes[0] ?? 0],
    rounded(agreementOf(votes)),
    rounded(units === votes[0] ? undefined : (votes.at(-1) ?? 0) / (units - (votes[0] ?? 0))),
    null,
    rounded(krippendorffsAlpha(votes)),
    null,
  ];
  return [ofAll, ...ofPairs];
}
