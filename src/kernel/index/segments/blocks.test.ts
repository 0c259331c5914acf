import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type BlockEntry,
  bucketOf,
  encodeBlock,
  encodeLists,
  findList,
  findPostingList,
  forEachEntry,
  hashTerm,
  readBlockEntries,
} from "./blocks.ts";
import { createListColumn, endList, type ListColumn } from "./list-column.ts";
import { ensureCapacity, writeBytes } from "./varint.ts";

function listColumnOf(lists: readonly Uint8Array[]): ListColumn {
  const column = createListColumn();
  for (const list of lists) {
    ensureCapacity(column.writer, list.length);
    writeBytes(column.writer, list);
    endList(column);
  }
  return column;
}

const blockOf = (entries: readonly BlockEntry[]): Uint8Array =>
  encodeBlock(
    entries.map(({ term }) => term),
    listColumnOf(entries.map(({ list }) => list)),
    [...entries.keys()],
  );

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
      const block = blockOf(entries);
      const numbers = [...entries.keys()];
      const lists = encodeLists(listColumnOf(entries.map(({ list }) => list)), numbers);
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
      const places: unknown[] = [];
      forEachEntry({ postings: block, positions: lists }, (term, ...at) => {
        const [list, positions] = [block.slice(at[0], at[1]), lists.slice(at[2], at[3])];
        places.push([term, Uint8Array.from(list), Uint8Array.from(positions)]);
      });
      expect(places).toEqual([...known].map(([term, list]) => [term, list, list]));
    }),
  );
});

test("a term as long as a passage, and a list as long as an index, fit in a block", () => {
  const long = { term: "灯".repeat(8_000), list: new Uint8Array(3_000_000).fill(7) };
  const block = blockOf([{ term: "a", list: new Uint8Array() }, long]);

  expect(findPostingList(block, long.term)?.list).toHaveLength(3_000_000);
  expect(findPostingList(block, "a")?.list).toHaveLength(0);
  expect(findPostingList(block, "灯")).toBeUndefined();
  expect(findPostingList(blockOf([]), "a")).toBeUndefined();
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
