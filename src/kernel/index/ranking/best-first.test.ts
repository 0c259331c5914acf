import fc from "fast-check";
import { expect, test } from "vitest";
import { indexesByValueDescending } from "./best-first.ts";

/** Many values are equal, as scores are, and most are 0. */
const anyScores = fc
  .array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 4_096 })), { maxLength: 3_000 })
  .chain((values) =>
    fc.record({
      values: fc.constant(values.map((value) => value / 4_096)),
      copies: fc.integer({ min: 1, max: 20 }),
    }),
  )
  .map(({ values, copies }) => Float32Array.from(Array(copies).fill(values).flat()));

test("scores are returned in the order of an exhaustive sort, however many there are", () => {
  fc.assert(
    fc.property(anyScores, (scores) => {
      const sorted = [...scores.keys()]
        .filter((index) => (scores[index] ?? 0) > 0)
        .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);

      expect([...indexesByValueDescending(scores)]).toEqual(sorted);
    }),
    { numRuns: 50 },
  );
});
