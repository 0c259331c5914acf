import fc from "fast-check";
import { expect, test } from "vitest";
import { addRow, passages, smallIndex } from "../../../../tests/fixtures/search/small-index.ts";
import { openLexicon, type TokenStream } from "../../../text/search/lexicon.ts";
import { segmentsToMerge } from "./merge-policy.ts";
import { openSegments } from "./segments.ts";

/** Merges segments of these sizes as they arrive, and returns the cost. */
function joining(sizes: readonly number[]) {
  let segments: { postings: number }[] = [];
  let copied = 0;
  let most = 0;
  for (const postings of sizes) {
    segments.push({ postings });
    const joined = segmentsToMerge(segments, 0);
    expect(segments.slice(segments.length - joined.length)).toEqual(joined);
    if (joined.length > 0) {
      const sum = joined.reduce((all, segment) => all + segment.postings, 0);
      copied += sum;
      segments = [...segments.slice(0, -joined.length), { postings: sum }];
    }
    most = Math.max(most, segments.length);
  }
  const total = sizes.reduce((sum, size) => sum + size, 0);
  return { copied, most, total };
}

const copyOf = ({ ids, marks, length }: TokenStream): TokenStream => ({
  ids: ids.slice(),
  marks: marks.slice(),
  length,
});

const times = (count: number, size: number): number[] => new Array<number>(count).fill(size);

test("[search.index.joining] a thousand small changes do not repeatedly copy a large index", () => {
  const library = times(73, 130_000);
  const before = joining(library);
  const after = joining([...library, ...times(1_000, 300)]);

  expect(after.copied - before.copied).toBeLessThan(before.total);
  expect(after.most).toBeLessThan(64);
});

test("in any order of changes, postings are copied only a few times and segments stay few", () => {
  const size = fc.oneof(
    fc.integer({ min: 0, max: 50 }),
    fc.integer({ min: 0, max: 10_000 }),
    fc.integer({ min: 0, max: 1_000_000 }),
  );
  const runs = fc
    .array(fc.tuple(fc.integer({ min: 1, max: 200 }), size), { maxLength: 20 })
    .map((parts) => parts.flatMap(([count, postings]) => times(count, postings)));
  fc.assert(
    fc.property(runs, (sizes) => {
      const { copied, most, total } = joining(sizes);

      // Each copy at least doubles a segment; the smallest are joined whatever they hold.
      expect(copied).toBeLessThanOrEqual(total * Math.log2(total + 2) + sizes.length * 1_000);
      expect(most).toBeLessThan(128);
    }),
  );
});

test("all segments are merged when more than a third of their postings are removed", () => {
  const segments = [{ postings: 1_000_000 }, { postings: 10 }];

  expect(segmentsToMerge(segments, 0.34)).toEqual(segments);
  expect(segmentsToMerge(segments, 0.33)).toEqual([]);
  expect(segmentsToMerge([], 1)).toEqual([]);
});

test("hundreds of segments, merged on several levels, read as one list without removed ones", () => {
  const { db } = smallIndex();
  const lexicon = openLexicon();
  const segments = openSegments(db, "search", lexicon);
  const model = new Map<number, { words: string[]; places: Map<string, number> }>();
  let random = 7;
  const upTo = (most: number): number => {
    random = (random * 48_271) % 2_147_483_647;
    return random % most;
  };
  let last = 0;
  for (let change = 0; change < 300; change++) {
    segments.buildSegment(() => {
      for (let count = 0; count < 1 + upTo(60); count++) {
        last += 1 + upTo(3);
        const words = Array.from({ length: upTo(40) }, () => `word${upTo(90)}`);
        const places = new Map([[`word${upTo(90)}`, 1 + upTo(7)]]);
        const marks = [...places].map(([word, fieldBit]) => ({
          fieldBit,
          tokens: copyOf(lexicon.tokensOf(word)),
        }));
        segments.add(last, lexicon.tokensOf(words.join(" ")), marks);
        model.set(last, { words, places });
        db.run("UPDATE search_totals SET passages = passages + 1");
      }
      const gone = [...model.keys()].filter(() => upTo(40) === 0);
      for (const passage of gone) model.delete(passage);
      segments.remove(gone);
      db.run("UPDATE search_totals SET passages = passages - ?", gone.length);
    });
    if (change % 60 === 59) expectSame();
  }
  segments.mergeAll();
  expectSame();
  expect(db.get("SELECT count(*) AS count FROM search_segments")).toEqual({ count: 1 });
  expect(db.get("SELECT count(*) AS count FROM search_removed")).toEqual({ count: 0 });

  function expectSame(): void {
    for (let number = 0; number < 90; number++) {
      const word = `word${number}`;
      const { count, passages, frequencies, fieldMasks } = segments.read(word);
      const found = Array.from({ length: count }, (_, row) => [
        passages[row],
        frequencies[row],
        fieldMasks[row],
      ]);
      const expected = [...model].flatMap(([passage, { words, places }]) => {
        const often = words.filter((one) => one === word).length;
        const where = places.get(word) ?? 0;
        return often + where > 0 ? [[passage, often, where]] : [];
      });
      expect(found).toEqual(expected);
      const positions = segments.readPositions(word);
      const inBody = [...model.values()].flatMap(({ words, places }) => {
        const marks = words.flatMap((one, at) => (one === word ? [2 * at] : []));
        return marks.length > 0 || places.has(word) ? [marks] : [];
      });
      expect(found.map((_, row) => positions.marksAt(row).slice(0, inBody[row]?.length))).toEqual(
        inBody,
      );
    }
  }
});

test("removed empty passages are forgotten too, so that they never trigger a full merge", () => {
  const { db, index, put, remove } = smallIndex();
  for (let document = 1; document <= 500; document++) {
    addRow(db, document, "—");
    index.change((changes) => {
      changes.put(document, { title: "—", path: "—", passages: passages("…") });
    });
    remove(document);
  }
  put(501, { passages: passages("lamp") });
  const before = db.get("SELECT max(id) AS id FROM search_segments");
  put(502, { passages: passages("tower") });
  put(503, { passages: passages("tower") });

  expect(db.get("SELECT count(*) AS count FROM search_removed")).toEqual({ count: 0 });
  expect(db.get("SELECT count(*) AS count FROM search_segments")).toEqual({ count: 3 });
  expect(before).toBeDefined();
});
