import fc from "fast-check";
import { expect, test } from "vitest";
import {
  bucketOf,
  encodeBlock,
  encodeLists,
  findList,
  findPostingList,
  hashTerm,
  readBlockEntries,
  readLists,
} from "./blocks.ts";

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
      const block = encodeBlock(entries);
      const lists = encodeLists(entries.map(({ list }) => list));
      const known = new Map(entries.map(({ term, list }) => [term, list]));

      for (const { term, list } of entries) {
        const found = findPostingList(block, term);
        expect(Uint8Array.from(found?.list ?? [255])).toEqual(list);
        expect(Uint8Array.from(findList(lists, found?.index ?? -1))).toEqual(list);
      }
      expect(findPostingList(block, other) === undefined).toBe(!known.has(other));
      const read = [...readBlockEntries(block)].map(({ term, list }) => [
        term,
        Uint8Array.from(list),
      ]);
      expect(read).toEqual([...known]);
      expect([...readLists(lists)].map((list) => Uint8Array.from(list))).toEqual([
        ...known.values(),
      ]);
    }),
  );
});

test("a term as long as a passage, and a list as long as an index, fit in a block", () => {
  const long = { term: "灯".repeat(8_000), list: new Uint8Array(3_000_000).fill(7) };
  const block = encodeBlock([{ term: "a", list: new Uint8Array() }, long]);

  expect(findPostingList(block, long.term)?.list).toHaveLength(3_000_000);
  expect(findPostingList(block, "a")?.list).toHaveLength(0);
  expect(findPostingList(block, "灯")).toBeUndefined();
  expect(findPostingList(encodeBlock([]), "a")).toBeUndefined();
});

test("terms are spread over the buckets, even if they differ only by a number", () => {
  const counts = new Array<number>(64).fill(0);
  for (let number = 0; number < 6_400; number++) {
    const bucket = bucketOf(hashTerm(`word${number}`), 64);
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }

  expect(counts).toHaveLength(64);
  expect(Math.min(...counts)).toBeGreaterThan(40);
  expect(Math.max(...counts)).toBeLessThan(200);
});
