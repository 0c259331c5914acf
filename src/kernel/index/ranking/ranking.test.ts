import fc from "fast-check";
import { expect, test } from "vitest";
import { type PostingColumns, quantiseLength } from "../segments/postings.ts";
import type { QueryTerm } from "./query-term.ts";
import { rankPassages } from "./ranking.ts";

/** How the postings of a token are scattered over the passages. */
interface Scatter {
  seed: number;
  /** The mean distance of two postings. */
  distance: number;
  first: number;
}

const passageCount = 3_000;

/** Numbers above 2^32 are stored in wider columns. */
const wideStart = 2 ** 33;

const anyScatter = fc.record({
  seed: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  distance: fc.constantFrom(1, 3, 40, 2_000, 100_000),
  first: fc.constantFrom(1, 1, 1, 4_000, wideStart),
});

const anyVariants = fc.array(
  fc.record({ scatter: anyScatter, similarity: fc.constantFrom(1, 0.8, 0.5) }),
  { minLength: 1, maxLength: 3 },
);

const anyTerm = fc.record({
  variants: anyVariants,
  parts: fc.option(fc.array(anyVariants, { minLength: 1, maxLength: 2 })),
  isMinor: fc.boolean(),
});

const anyTerms = fc.array(anyTerm, { minLength: 1, maxLength: 4 }).map((terms) =>
  terms.map(({ variants, parts, isMinor }): QueryTerm => {
    const term = termOf(variants);
    if (isMinor) term.factor = 0.05;
    return parts ? { ...term, parts: parts.map(termOf) } : term;
  }),
);

const totals = { passages: passageCount, tokens: passageCount * 120 };
const all = Number.POSITIVE_INFINITY;

test("the best passages are those of an exhaustive ranking, however many are expected", () => {
  fc.assert(
    fc.property(anyTerms, fc.integer({ min: 1, max: 300 }), (terms, expected) => {
      const exhaustive = rankPassages(terms, totals, all);
      const short = rankPassages(terms, totals, expected);
      const ranked = [...exhaustive.bestFirst()];
      const scored = ranked.map((passage) => exhaustive.scoreOf(passage));

      // Strings are compared much faster than arrays.
      expect(take(short.bestFirst(), expected).join()).toBe(ranked.slice(0, expected).join());
      expect([...short.bestFirst()].join()).toBe(ranked.join());
      expect(ranked.map((passage) => short.scoreOf(passage)).join()).toBe(scored.join());
    }),
    { numRuns: 40 },
  );
});

test("passages are ranked by the sum of what explains their scores, then by number", () => {
  fc.assert(
    fc.property(anyTerms, (terms) => {
      const { bestFirst, scoreOf, explain } = rankPassages(terms, totals, all);
      const ranked = [...bestFirst()];

      for (const passage of ranked.slice(0, 100)) {
        const sum = explain(passage).reduce(
          (sum, { weight, strength }) => sum + weight * strength,
          0,
        );
        expect(Math.abs(scoreOf(passage) - sum)).toBeLessThan(1e-6);
      }
      const byScore = ranked.toSorted((a, b) => scoreOf(b) - scoreOf(a) || a - b);
      expect(ranked.join()).toBe(byScore.join());
      const found = [...new Set(terms.flatMap(passagesOf))];
      expect(ranked.toSorted((a, b) => a - b).join()).toBe(found.sort((a, b) => a - b).join());
    }),
    { numRuns: 20 },
  );
});

const termOf = (variants: readonly { scatter: Scatter; similarity: number }[]): QueryTerm => ({
  word: "word",
  variants: variants.map(({ scatter, similarity }) => ({
    token: "word",
    similarity,
    postings: scattered(scatter),
  })),
});

function scattered({ seed, distance, first }: Scatter): PostingColumns {
  let state = seed;
  const random = (below: number): number => {
    // A linear congruential generator.
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 2 ** 31) * below);
  };
  const rows: { passage: number; frequency: number; fieldMask: number; length: number }[] = [];
  for (let passage = first + random(distance); rows.length < passageCount / distance; ) {
    const fieldMask = random(4) === 0 ? random(16) : 0;
    const frequency = fieldMask === 0 ? 1 + random(5) ** 2 : random(3);
    rows.push({ passage, frequency, fieldMask, length: random(400) });
    passage += 1 + random(2 * distance - 1);
  }
  const passages = rows.map(({ passage }) => passage);
  const frequencies = Uint16Array.from(rows, ({ frequency }) => frequency);
  const fieldMasks = Uint8Array.from(rows, ({ fieldMask }) => fieldMask);
  return {
    count: rows.length,
    partsOnly: 0,
    passages: first === wideStart ? Float64Array.from(passages) : Uint32Array.from(passages),
    frequencies,
    fieldMasks,
    scales: Uint8Array.from(rows, ({ length }) => quantiseLength(length)),
    stored: { frequencies, fieldMasks, listEnds: [rows.length] },
  };
}

const passagesOf = ({ variants, parts = [] }: QueryTerm): number[] => [
  ...variants.flatMap(({ postings }) => [...postings.passages]),
  ...parts.flatMap(passagesOf),
];

function take<Item>(items: Iterator<Item>, count: number): Item[] {
  const taken: Item[] = [];
  for (let next = items.next(); !next.done; next = items.next()) {
    taken.push(next.value);
    if (taken.length === count) break;
  }
  return taken;
}
