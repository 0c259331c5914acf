import fc from "fast-check";
import { expect, test } from "vitest";
import {
  agreementOf,
  cohensKappa,
  decisionsOf,
  krippendorffsAlpha,
  lengthOf,
  piecesOf,
  qualcoderKappa,
  type Stretch,
  votesIn,
  votesOf,
} from "./agreement.ts";

const stretch = (start: number, end: number): Stretch => ({ start, end });

const compared = (one: Stretch[], other: Stretch[], length: number) =>
  decisionsOf(piecesOf([one, other], length), 0, 1);

test("[qualitative.agreement.kappa] kappa is Cohen's, and QualCoder's figure is told apart", () => {
  const check = (one: Stretch, other: Stretch, kappa: number, qualcoder: number) => {
    const decisions = compared([one], [other], 1000);
    expect(cohensKappa(decisions)).toBeCloseTo(kappa, 4);
    expect(qualcoderKappa(decisions)).toBeCloseTo(qualcoder, 4);
  };

  check(stretch(0, 100), stretch(50, 150), 0.4444, 0.2987);
  check(stretch(0, 100), stretch(200, 300), -0.1111, -0.0667);
  check(stretch(0, 400), stretch(100, 500), 0.5833, 0.5895);
  check(stretch(0, 100), stretch(0, 100), 1, 1);
});

test("[qualitative.agreement.kappa] marks of one coder over each other count once", () => {
  const twice = [stretch(0, 60), stretch(40, 100), stretch(0, 100)];

  expect(compared(twice, [stretch(50, 150)], 1000)).toEqual(
    compared([stretch(0, 100)], [stretch(50, 150)], 1000),
  );
  expect(lengthOf(twice)).toBe(100);
});

test("[qualitative.agreement.undefined] without variation there is no figure", () => {
  const nothing = compared([], [], 50);
  const everything = compared([stretch(0, 50)], [stretch(0, 50)], 50);

  for (const decisions of [nothing, everything, compared([], [], 0)]) {
    expect(cohensKappa(decisions)).toBeUndefined();
    expect(krippendorffsAlpha(votesIn(decisions))).toBeUndefined();
  }
  expect(qualcoderKappa(nothing)).toBeUndefined();
  expect(krippendorffsAlpha([3, 4])).toBeUndefined();
  expect(agreementOf(votesIn(everything))).toBe(1);
  expect(agreementOf([0, 0, 0])).toBeUndefined();
  // One marks all and the other nothing: chance explains exactly that.
  expect(cohensKappa(compared([stretch(0, 50)], [], 50))).toBe(0);
});

test("[qualitative.agreement.alpha] alpha is Krippendorff's", () => {
  // His example of two observers, ten units and two values.
  const [one, other] = ["0100000010", "1110010000"].map((row) =>
    [...row].flatMap((value, at) => (value === "1" ? [stretch(at, at + 1)] : [])),
  );

  expect(krippendorffsAlpha(votesIn(compared(one ?? [], other ?? [], 10)))).toBeCloseTo(0.095, 3);
});

/** Some marks of each of some coders, in a text of some length; marks may reach past its end. */
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

/** Unit by unit, coder by coder. */
const unitsOf = (coders: Stretch[][], length: number): boolean[][] =>
  Array.from({ length }, (_, unit) =>
    coders.map((marks) => marks.some(({ start, end }) => start <= unit && unit < end)),
  );

test("[qualitative.agreement.alpha] alpha is what all pairs of values say, one by one", () => {
  fc.assert(
    fc.property(markings, ([length, coders]) => {
      const units = unitsOf(coders, length);
      const alpha = krippendorffsAlpha(votesOf(piecesOf(coders, length), coders.length));
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

test("[qualitative.agreement.kappa] kappa is what drawing decisions by chance would say", () => {
  fc.assert(
    fc.property(markings, ([length, coders]) => {
      const units = unitsOf(coders, length);
      const kappa = cohensKappa(decisionsOf(piecesOf(coders, length), 0, 1));
      const agrees = (values: readonly (readonly [unknown, unknown])[]): number =>
        values.filter(([one, other]) => one === other).length / values.length;
      // Chance pairs each decision of the one with each decision of the other.
      const chance = units.flatMap(([one]) => units.map(([, other]) => [one, other] as const));
      const [observed, expected] = [agrees(units.map(([a, b]) => [a, b] as const)), agrees(chance)];
      if (expected === 1) expect(kappa).toBeUndefined();
      else expect(kappa).toBeCloseTo((observed - expected) / (1 - expected), 9);
    }),
  );
});

test("[qualitative.agreement.pieces] pieces cover the text once and tell who marked each unit", () => {
  fc.assert(
    fc.property(markings, ([length, coders]) => {
      const pieces = piecesOf(coders, length);
      const told = pieces.flatMap(({ start, end, by }) =>
        Array.from({ length: end - start }, () => by),
      );

      expect(told).toEqual(unitsOf(coders, length));
      for (const [at, { by }] of pieces.entries()) expect(by).not.toEqual(pieces[at + 1]?.by);
    }),
  );
});
