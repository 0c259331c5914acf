import fc from "fast-check";
import { expect, test } from "vitest";
import type { TokenStream } from "../../../text/search/lexicon.ts";
import { listAt } from "./list-column.ts";
import { openPositions } from "./positions.ts";
import { readPostings } from "./postings.ts";
import { createSegmentBuilder } from "./segment-builder.ts";

const tokens = fc.array(fc.oneof(fc.nat(6), fc.nat(5_000)), { maxLength: 40 });
const passage = fc.record({
  step: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 2 ** 40 })),
  body: tokens,
  marks: fc.array(fc.record({ fieldBit: fc.constantFrom(1, 2, 4), tokens }), { maxLength: 4 }),
});
const streamOf = (tokens: readonly number[]): TokenStream => ({
  ids: Int32Array.from(tokens),
  marks: Int32Array.from(tokens, (_, at) => 2 * at),
  length: tokens.length,
});

type Added = { body: number[]; marks: { fieldBit: number; tokens: number[] }[] };

/** The expected postings of each token, by a scan of every passage. */
function expected(passages: ReadonlyMap<number, Added>) {
  const lists = new Map<string, number[][]>();
  for (const [number, { body, marks }] of passages) {
    for (const token of new Set([...body, ...marks.flatMap((mark) => mark.tokens)])) {
      const times = body.filter((one) => one === token).length;
      const places = marks
        .filter((mark) => mark.tokens.includes(token))
        .reduce((all, { fieldBit }) => all | fieldBit, 0);
      const list = lists.get(`t${token}`) ?? [];
      lists.set(`t${token}`, [...list, [number, times, places]]);
    }
  }
  return lists;
}

test("in any order of passages, each token has its passages, batch by batch", () => {
  const gathering = createSegmentBuilder();
  fc.assert(
    fc.property(fc.array(passage, { maxLength: 12 }), (steps) => {
      gathering.clear();
      const allPassages = new Map<number, Added>();
      let number = 0;
      for (const { step, body, marks } of steps) {
        number += step;
        allPassages.set(number, { body, marks });
        const columns = marks.map((mark) => ({ ...mark, tokens: streamOf(mark.tokens) }));
        gathering.add(number, streamOf(body), columns);
      }
      const built = gathering.build((token) => `t${token}`);
      const found = built.terms.map((term, number) => {
        const columns = readPostings([listAt(built.postings, number)], new Set());
        const { count, passages, frequencies, fieldMasks } = columns;
        const stored = openPositions(columns, [listAt(built.positions, number)]);
        for (let row = 0; row < count; row++) {
          const { body = [] } = allPassages.get(passages[row] ?? 0) ?? {};
          const marks = body.flatMap((token, at) => (`t${token}` === term ? [2 * at] : []));
          expect(stored.marksAt(row).slice(0, marks.length)).toEqual(marks);
        }
        const rows = Array.from({ length: count }, (_, row) => [
          passages[row],
          frequencies[row],
          fieldMasks[row],
        ]);
        return [term, rows] as const;
      });
      const lists = expected(allPassages);

      expect(new Map(found)).toEqual(lists);
      expect(found).toHaveLength(lists.size);
      expect(built.count).toBe([...lists.values()].flat().length);
      const first = [...allPassages].find(([, { body, marks }]) =>
        [body, ...marks.map((mark) => mark.tokens)].some((some) => some.length > 0),
      );
      expect(gathering.firstPassage()).toBe(first?.[0]);
    }),
  );
});

test("a token frequency is capped at the posting's maximum", () => {
  const gathering = createSegmentBuilder();
  const often = new Array<number>(70_000).fill(3);
  gathering.add(1, streamOf(often), [{ fieldBit: 2, tokens: streamOf([3]) }]);
  const { terms, postings } = gathering.build(String);
  const { frequencies, fieldMasks } = readPostings([listAt(postings, 0)], new Set());

  expect([terms, frequencies[0], fieldMasks[0]]).toEqual([["3"], 65_535, 2]);
});
