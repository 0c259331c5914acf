import fc from "fast-check";
import { expect, test } from "vitest";
import { openGathering } from "./gathering.ts";
import { readPostings } from "./postings.ts";

const tokens = fc.array(fc.oneof(fc.nat(6), fc.nat(5_000)), { maxLength: 40 });
const passage = fc.record({
  step: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 2 ** 40 })),
  body: tokens,
  marks: fc.array(fc.record({ place: fc.constantFrom(1, 2, 4), tokens }), { maxLength: 4 }),
});
type Added = { body: number[]; marks: { place: number; tokens: number[] }[] };

/** What must be kept of each token, found by asking each passage for it. */
function expected(passages: ReadonlyMap<number, Added>) {
  const lists = new Map<string, number[][]>();
  for (const [number, { body, marks }] of passages) {
    for (const token of new Set([...body, ...marks.flatMap((mark) => mark.tokens)])) {
      const times = body.filter((one) => one === token).length;
      const places = marks
        .filter((mark) => mark.tokens.includes(token))
        .reduce((all, { place }) => all | place, 0);
      const list = lists.get(`t${token}`) ?? [];
      lists.set(`t${token}`, [...list, [number, times, places]]);
    }
  }
  return lists;
}

test("however passages come, each token has the list of its passages, batch after batch", () => {
  const gathering = openGathering();
  fc.assert(
    fc.property(fc.array(passage, { maxLength: 12 }), (steps) => {
      gathering.clear();
      const passages = new Map<number, Added>();
      let number = 0;
      for (const { step, body, marks } of steps) {
        number += step;
        passages.set(number, { body, marks });
        const columns = marks.map((mark) => ({ ...mark, tokens: Int32Array.from(mark.tokens) }));
        gathering.add(number, Int32Array.from(body), columns);
      }
      const { entries, postings } = gathering.packed((token) => `t${token}`);
      const found = entries.map(({ term, list }) => {
        const { count, passages, times, places } = readPostings([list], new Set());
        const rows = Array.from({ length: count }, (_, row) => [
          passages[row],
          times[row],
          places[row],
        ]);
        return [term, rows] as const;
      });
      const lists = expected(passages);

      expect(new Map(found)).toEqual(lists);
      expect(found).toHaveLength(lists.size);
      expect(postings).toBe([...lists.values()].flat().length);
      const first = [...passages].find(([, { body, marks }]) =>
        [body, ...marks.map((mark) => mark.tokens)].some((some) => some.length > 0),
      );
      expect(gathering.first()).toBe(first?.[0]);
    }),
  );
});

test("a token that stands oftener than a posting can say stands as often as it can", () => {
  const gathering = openGathering();
  gathering.add(1, new Int32Array(70_000).fill(3), [{ place: 2, tokens: Int32Array.of(3) }]);
  const [entry] = gathering.packed(String).entries;
  const { times, places } = readPostings([entry?.list ?? new Uint8Array()], new Set());

  expect([entry?.term, times[0], places[0]]).toEqual(["3", 65_535, 2]);
});
