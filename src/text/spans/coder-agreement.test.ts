import fc from "fast-check";
import { expect, test } from "vitest";
import {
  cohensKappa,
  countDecisions,
  countVotes,
  krippendorffsAlpha,
  markedLength,
  percentAgreement,
  qualcoderKappa,
  splitByMarks,
  type UnitRange,
  votesOfPair,
} from "./coder-agreement.ts";

const stretch = (start: number, end: number): UnitRange => ({ start, end });

const compared = (one: UnitRange[], other: UnitRange[], length: number) =>
  countDecisions(splitByMarks([one, other], length), 0, 1);

test("[qualitative.agreement.kappa] kappa is Cohen's, and QualCoder's figure is separate", () => {
  const check = (one: UnitRange, other: UnitRange, kappa: number, qualcoder: number) => {
    const decisions = compared([one], [other], 1000);
    expect(cohensKappa(decisions)).toBeCloseTo(kappa, 4);
    expect(qualcoderKappa(decisions)).toBeCloseTo(qualcoder, 4);
  };

  check(stretch(0, 100), stretch(50, 150), 0.4444, 0.2987);
  check(stretch(0, 100), stretch(200, 300), -0.1111, -0.0667);
  check(stretch(0, 400), stretch(100, 500), 0.5833, 0.5895);
  check(stretch(0, 100), stretch(0, 100), 1, 1);
});

test("[qualitative.agreement.kappa] overlapping codings of one coder count once", () => {
  const twice = [stretch(0, 60), stretch(40, 100), stretch(0, 100)];

  expect(compared(twice, [stretch(50, 150)], 1000)).toEqual(
    compared([stretch(0, 100)], [stretch(50, 150)], 1000),
  );
  expect(markedLength(twice)).toBe(100);
});

test("[qualitative.agreement.undefined] without variation there is no coefficient", () => {
  const nothing = compared([], [], 50);
  const everything = compared([stretch(0, 50)], [stretch(0, 50)], 50);

  for (const decisions of [nothing, everything, compared([], [], 0)]) {
    expect(cohensKappa(decisions)).toBeUndefined();
    expect(krippendorffsAlpha(votesOfPair(decisions))).toBeUndefined();
  }
  expect(qualcoderKappa(nothing)).toBeUndefined();
  expect(krippendorffsAlpha([3, 4])).toBeUndefined();
  expect(percentAgreement(votesOfPair(everything))).toBe(1);
  expect(percentAgreement([0, 0, 0])).toBeUndefined();
  // One coder marks everything, the other nothing: agreement is exactly by chance.
  expect(cohensKappa(compared([stretch(0, 50)], [], 50))).toBe(0);
});

test("[qualitative.agreement.alpha] alpha is Krippendorff's", () => {
  // Krippendorff's example of two observers, ten units and two values.
  const [one, other] = ["0100000010", "1110010000"].map((row) =>
    [...row].flatMap((value, at) => (value === "1" ? [stretch(at, at + 1)] : [])),
  );

  expect(krippendorffsAlpha(votesOfPair(compared(one ?? [], other ?? [], 10)))).toBeCloseTo(
    0.095,
    3,
  );
});

/** Random codings of several coders in a text; they may extend past its end. */
const markings = fc.tuple(
  fc.integer({ min: 1, max: 40 }),
  fc.array(
    fc.array(
      fc
        .tuple(fc.integer({ min: 0, max: 44 }), fc.integer({ min: 1, max: 20 }))
        .map(([start, size]) => stretch(start, start + size)),
      { maxLength: 5 },
    ),
    { minLength: 2, maxLength: 5 },
  ),
);

/** The expected result, by a loop over units and coders. */
const unitsOf = (coders: UnitRange[][], length: number): boolean[][] =>
  Array.from({ length }, (_, unit) =>
    coders.map((marks) => marks.some(({ start, end }) => start <= unit && unit < end)),
  );

test("[qualitative.agreement.alpha] alpha equals the value computed from all pairs", () => {
  fc.assert(
    fc.property(markings, ([length, coders]) => {
      const units = unitsOf(coders, length);
      const alpha = krippendorffsAlpha(countVotes(splitByMarks(coders, length), coders.length));
      const within = units.flatMap((values) => pairsIn(values));
      const overall = pairsIn(units.flat());
      const observed = shareOfDifferent(within);
      const expected = shareOfDifferent(overall);
      if (expected === 0) expect(alpha).toBeUndefined();
      else expect(alpha).toBeCloseTo(1 - observed / expected, 9);
    }),
  );
});

function pairsIn(values: readonly boolean[]): [boolean, boolean][] {
  return values.flatMap((one, at) =>
    values.slice(at + 1).map((other): [boolean, boolean] => [one, other]),
  );
}

const shareOfDifferent = (pairs: readonly [boolean, boolean][]): number =>
  pairs.filter(([one, other]) => one !== other).length / pairs.length;

test("[qualitative.agreement.kappa] kappa equals the simulated chance-corrected agreement", () => {
  fc.assert(
    fc.property(markings, ([length, coders]) => {
      const units = unitsOf(coders, length);
      const kappa = cohensKappa(countDecisions(splitByMarks(coders, length), 0, 1));
      const agrees = (values: readonly (readonly [unknown, unknown])[]): number =>
        values.filter(([one, other]) => one === other).length / values.length;
      // Expected agreement pairs each decision of one coder with each of the other.
      const chance = units.flatMap(([one]) => units.map(([, other]) => [one, other] as const));
      const [observed, expected] = [agrees(units.map(([a, b]) => [a, b] as const)), agrees(chance)];
      if (expected === 1) expect(kappa).toBeUndefined();
      else expect(kappa).toBeCloseTo((observed - expected) / (1 - expected), 9);
    }),
  );
});

test("[qualitative.agreement.pieces] pieces cover the text once and list who coded each unit", () => {
  fc.assert(
    fc.property(markings, ([length, coders]) => {
      const pieces = splitByMarks(coders, length);
      const reported = pieces.flatMap(({ start, end, markedBy }) =>
        Array.from({ length: end - start }, () => markedBy),
      );

      expect(reported).toEqual(unitsOf(coders, length));
      for (const [at, { markedBy }] of pieces.entries())
        expect(markedBy).not.toEqual(pieces[at + 1]?.markedBy);
    }),
  );
});
