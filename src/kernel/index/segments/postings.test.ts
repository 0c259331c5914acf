import fc from "fast-check";
import { expect, test } from "vitest";
import {
  addPosting,
  createPostingList,
  encodePostingList,
  fieldBits,
  lengthOfScale,
  readPostings,
} from "./postings.ts";

interface Posting {
  passage: number;
  times: number;
  places: number;
  length: number;
}

const none = new Set<number>();

function written(postings: readonly Posting[]): Uint8Array {
  const list = createPostingList();
  for (const { passage, times, places, length } of postings) {
    addPosting(list, passage, times, places, length);
  }
  return encodePostingList(list);
}

function read(lists: readonly Uint8Array[], gone: ReadonlySet<number> = none): Posting[] {
  const { count, passages, frequencies, fieldMasks, scales } = readPostings(lists, gone);
  return Array.from({ length: count }, (_, row) => ({
    passage: passages[row] ?? Number.NaN,
    times: frequencies[row] ?? Number.NaN,
    places: fieldMasks[row] ?? Number.NaN,
    length: lengthOfScale(scales[row] ?? Number.NaN),
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

test("any list is read back as written, with its length quantized", () => {
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

test("rewriting a list that was read changes nothing, any number of times", () => {
  fc.assert(
    fc.property(anyPostings, (postings) => {
      const once = written(postings);
      expect(written(read([once]))).toEqual(once);
    }),
  );
});

test("consecutive lists are merged into one, without removed passages", () => {
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

test("a missing list equals an empty one", () => {
  expect(read([])).toEqual([]);
  expect(written([])).toHaveLength(0);
  expect(read([written([]), written([])])).toEqual([]);
});

test("a passage added in several steps is one posting", () => {
  const list = createPostingList();
  addPosting(list, 5, 1, 0, 10);
  addPosting(list, 5, 1, fieldBits.title, 10);
  addPosting(list, 5, 0, fieldBits.path, 10);
  addPosting(list, 6, 1, 0, 20);

  expect(read([encodePostingList(list)])).toEqual([
    { passage: 5, times: 2, places: fieldBits.title | fieldBits.path, length: expect.any(Number) },
    { passage: 6, times: 1, places: 0, length: expect.any(Number) },
  ]);
  expect(list.count).toBe(2);
});

test("a passage of bigrams only does not exceed the length scale", () => {
  const [longest, shorter] = [8_000, 7_000].map((length) => {
    const [posting] = read([written([{ passage: 1, times: 1, places: 0, length }])]);
    return posting?.length ?? 0;
  });

  expect(longest).toBeGreaterThan(shorter ?? 0);
});
