import fc from "fast-check";
import { expect, test } from "vitest";
import { bucketOf, entriesOf, hashOfTerm, listIn, packBlock } from "./blocks.ts";

const anyEntries = fc.uniqueArray(
  fc.record({
    term: fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }),
    list: fc.uint8Array({ maxLength: 300 }),
  }),
  { selector: ({ term }) => term, maxLength: 40 },
);

test("every term of a block is found with its list, and no other", () => {
  fc.assert(
    fc.property(anyEntries, fc.string({ maxLength: 3 }), (entries, other) => {
      const block = packBlock(entries);
      const known = new Map(entries.map(({ term, list }) => [term, list]));

      for (const { term, list } of entries) {
        expect(Uint8Array.from(listIn(block, term) ?? [255])).toEqual(list);
      }
      expect(listIn(block, other) === undefined).toBe(!known.has(other));
      const read = [...entriesOf(block)].map(({ term, list }) => [term, Uint8Array.from(list)]);
      expect(read).toEqual([...known]);
    }),
  );
});

test("a term as long as a passage, and a list as long as a library, fit in a block", () => {
  const long = { term: "灯".repeat(8_000), list: new Uint8Array(3_000_000).fill(7) };
  const block = packBlock([{ term: "a", list: new Uint8Array() }, long]);

  expect(listIn(block, long.term)).toHaveLength(3_000_000);
  expect(listIn(block, "a")).toHaveLength(0);
  expect(listIn(block, "灯")).toBeUndefined();
  expect(listIn(packBlock([]), "a")).toBeUndefined();
});

test("terms spread over the buckets, also where they differ by a number only", () => {
  const counts = new Array<number>(64).fill(0);
  for (let number = 0; number < 6_400; number++) {
    const bucket = bucketOf(hashOfTerm(`word${number}`), 64);
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }

  expect(counts).toHaveLength(64);
  expect(Math.min(...counts)).toBeGreaterThan(40);
  expect(Math.max(...counts)).toBeLessThan(200);
});
