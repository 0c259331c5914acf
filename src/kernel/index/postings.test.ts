import fc from "fast-check";
import { expect, test } from "vitest";
import { addPosting, bytesOf, makeList, placeOf, readPostings } from "./postings.ts";

interface Posting {
  passage: number;
  times: number;
  places: number;
  length: number;
}

const none = new Set<number>();

function written(postings: readonly Posting[]): Uint8Array {
  const list = makeList();
  for (const { passage, times, places, length } of postings) {
    addPosting(list, passage, times, places, length);
  }
  return bytesOf(list);
}

function read(lists: readonly Uint8Array[], gone: ReadonlySet<number> = none): Posting[] {
  const { count, passages, times, places, lengths } = readPostings(lists, gone);
  return Array.from({ length: count }, (_, row) => ({
    passage: passages[row] ?? Number.NaN,
    times: times[row] ?? Number.NaN,
    places: places[row] ?? Number.NaN,
    length: lengths[row] ?? Number.NaN,
  }));
}

/** Ascending passages up to 2^45, many of them close together. */
const anyPostings = fc
  .array(
    fc.record({
      step: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 2 ** 40 })),
      times: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 70_000 })),
      places: fc.integer({ min: 0, max: 7 }),
      length: fc.integer({ min: 0, max: 8_000 }),
    }),
    { maxLength: 30 },
  )
  .map((steps) => {
    let passage = 0;
    return steps.map(({ step, ...posting }) => {
      passage += step;
      return { passage, ...posting };
    });
  });

test("any list is read as it was written, with the length on its scale", () => {
  fc.assert(
    fc.property(anyPostings, (postings) => {
      const found = read([written(postings)]);

      expect(found.map(({ length, ...exact }) => exact)).toEqual(
        postings.map(({ passage, times, places }) => ({
          passage,
          times: Math.min(times, 65_535),
          places,
        })),
      );
      for (const [row, { length }] of found.entries()) {
        const exact = postings[row]?.length ?? 0;
        expect(Math.abs(length - exact)).toBeLessThanOrEqual((exact + 1) * 0.02);
      }
    }),
  );
});

test("writing what was read changes nothing more, however often it is done", () => {
  fc.assert(
    fc.property(anyPostings, (postings) => {
      const once = written(postings);
      expect(written(read([once]))).toEqual(once);
    }),
  );
});

test("lists in the order of their passages are one list, without what is gone", () => {
  fc.assert(
    fc.property(anyPostings, fc.nat(30), fc.array(fc.nat(29)), (postings, cut, removed) => {
      const gone = new Set(removed.map((row) => postings[row]?.passage ?? 0));
      const parts = [postings.slice(0, cut), [], postings.slice(cut)].map(written);
      const whole = read([written(postings)]);

      expect(read(parts)).toEqual(whole);
      expect(read(parts, gone)).toEqual(whole.filter(({ passage }) => !gone.has(passage)));
    }),
  );
});

test("no list and an empty one hold nothing", () => {
  expect(read([])).toEqual([]);
  expect(written([])).toHaveLength(0);
  expect(read([written([]), written([])])).toEqual([]);
});

test("a passage that is told of in several steps is one posting", () => {
  const list = makeList();
  addPosting(list, 5, 1, 0, 10);
  addPosting(list, 5, 1, placeOf.title, 10);
  addPosting(list, 5, 0, placeOf.path, 10);
  addPosting(list, 6, 1, 0, 20);

  expect(read([bytesOf(list)])).toEqual([
    { passage: 5, times: 2, places: placeOf.title | placeOf.path, length: expect.any(Number) },
    { passage: 6, times: 1, places: 0, length: expect.any(Number) },
  ]);
  expect(list.count).toBe(2);
});

test("a passage of nothing but pairs of letters is not too long for the scale", () => {
  const [longest, shorter] = [8_000, 7_000].map((length) => {
    const [posting] = read([written([{ passage: 1, times: 1, places: 0, length }])]);
    return posting?.length ?? 0;
  });

  expect(longest).toBeGreaterThan(shorter ?? 0);
});
