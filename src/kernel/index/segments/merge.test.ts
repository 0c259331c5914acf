import fc from "fast-check";
import { expect, test } from "vitest";
import type { TokenStream } from "../../../text/search/lexicon.ts";
import { bucketOf, encodeBlock, encodeLists, hashTerm } from "./blocks.ts";
import { listAt } from "./list-column.ts";
import { type MergeSource, mergeRange, rangesToMerge } from "./merge.ts";
import { createSegmentBuilder } from "./segment-builder.ts";

const tokens = fc.array(fc.oneof(fc.nat(6), fc.nat(300)), { minLength: 1, maxLength: 30 });
const segment = fc.record({
  buckets: fc.constantFrom(1, 2, 8, 32),
  passages: fc.array(tokens, { minLength: 1, maxLength: 6 }),
});

const streamOf = (tokens: readonly number[]): TokenStream => ({
  ids: Int32Array.from(tokens),
  marks: Int32Array.from(tokens, (_, at) => 2 * at),
  length: tokens.length,
});

function sourceOf(first: number, buckets: number, passages: readonly number[][]): MergeSource {
  const builder = createSegmentBuilder();
  for (const [index, tokens] of passages.entries())
    builder.add(first + index, streamOf(tokens), []);
  const { terms, postings, positions, count } = builder.build((token) => `t${token}`);
  const blocks = Array.from({ length: buckets }, (_, bucket) => {
    const isInBucket = (term: string) => bucketOf(hashTerm(term), buckets) === bucket;
    const numbers = [...terms.keys()].filter((number) => isInBucket(terms[number] ?? ""));
    return {
      postings: encodeBlock(terms, postings, numbers),
      positions: encodeLists(positions, numbers),
    };
  });
  return { buckets, postings: count, blocksIn: (from, to) => blocks.slice(from, to) };
}

function mergedIn(sources: readonly MergeSource[], ranges: number, removed: readonly number[]) {
  const found = new Map<string, unknown>();
  let postings = 0;
  for (let range = 0; range < ranges; range++) {
    const part = mergeRange(sources, range, ranges, new Set(removed));
    postings += part.count;
    for (const [number, term] of part.terms.entries()) {
      expect(bucketOf(hashTerm(term), ranges)).toBe(range);
      const lists = [listAt(part.postings, number), listAt(part.positions, number)];
      found.set(
        term,
        lists.map((list) => Array.from(list)),
      );
    }
  }
  return { postings, terms: new Map([...found].sort()) };
}

test("segments merged range by range are the same as merged at once", () => {
  fc.assert(
    fc.property(
      fc.array(segment, { minLength: 1, maxLength: 5 }),
      fc.constantFrom(2, 8, 16),
      (segments, ranges) => {
        let next = 1;
        const sources = segments.map(({ buckets, passages }) => {
          const source = sourceOf(next, buckets, passages);
          // Some numbers take several bytes.
          next += passages.length * 40;
          return source;
        });
        const all = segments.flatMap(({ passages }) => passages);
        const distinct = new Set(all.flat().map((token) => `t${token}`));
        const once = mergedIn(sources, 1, []);

        expect(new Set(once.terms.keys())).toEqual(distinct);
        expect(once.postings).toBe(all.reduce((sum, tokens) => sum + new Set(tokens).size, 0));
        expect(mergedIn(sources, ranges, [])).toEqual(once);
        // A removed passage of another segment: the lists are decoded and encoded again.
        expect(mergedIn(sources, ranges, [next])).toEqual(once);
        expect(mergedIn(sources, ranges, [1])).toEqual(mergedIn(sources, 1, [1]));
      },
    ),
  );
});

test("a merge holds a limited number of postings at once", () => {
  const sized = (postings: number): MergeSource => ({ ...sourceOf(1, 1, [[1]]), postings });

  expect(rangesToMerge([sized(10), sized(200_000)])).toBe(1);
  expect(rangesToMerge([sized(900_000), sized(700_000)])).toBe(8);
});
