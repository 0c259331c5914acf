import fc from "fast-check";
import { expect, test } from "vitest";
import { addRow, type SmallIndex, smallIndex } from "../../../tests/fixtures/small-index.ts";
import { readQuery } from "../../text/query.ts";
import { tokensOf } from "../../text/tokens.ts";
import type { IndexEntry, Match, MatchOptions, Passage } from "./contract.ts";

/**
 * What the index must find, found again by looking at every passage of every document: slow, and
 * short enough to be believed. Whatever is done to an index, the two must agree.
 */
type Library = ReadonlyMap<number, IndexEntry>;

interface Seen {
  document: number;
  passage: Passage;
  fields: { title: string[]; headings: string[]; path: string[]; body: string[] };
}

interface Scored {
  document: number;
  line: number;
  score: number;
}

function scan(library: Library, written: string, options: MatchOptions): Scored[] {
  const query = readQuery(written);
  const all: Seen[] = [...library].flatMap(([document, { title, path, passages }]) =>
    passages.map((passage) => ({
      document,
      passage,
      fields: {
        title: tokensOf(title),
        headings: passage.headings.flatMap(tokensOf),
        path: tokensOf(path),
        body: tokensOf(passage.text),
      },
    })),
  );
  const holds = ({ fields }: Seen, token: string): boolean =>
    Object.values(fields).some((tokens) => tokens.includes(token));
  const asked = [...new Set([...query.words, ...query.phrases].flatMap(tokensOf))];
  const isAnyThere = asked.some((token) => all.some((seen) => holds(seen, token)));
  const tokens = isAnyThere ? asked : [...new Set([...asked, ...query.fillers.flatMap(tokensOf)])];

  const average = Math.max(
    all.reduce((sum, { fields }) => sum + fields.body.length, 0) / Math.max(all.length, 1),
    1,
  );
  const rarities = tokens.map((token) => {
    const having = all.filter((seen) => holds(seen, token)).length;
    return Math.log(1 + (all.length - having + 0.5) / (having + 0.5));
  });
  const whole = rarities.reduce((sum, rarity) => sum + rarity, 0);
  const scoreOf = ({ fields }: Seen): number => {
    const reached = tokens.reduce((sum, token, place) => {
      const times = fields.body.filter((one) => one === token).length;
      const length = Math.max(rounded(fields.body.length) / average, 0.3);
      const frequency =
        (fields.title.includes(token) ? 4 : 0) +
        (fields.headings.includes(token) ? 2 : 0) +
        (fields.path.includes(token) ? 1.5 : 0) +
        times / (0.25 + 0.75 * length);
      return sum + ((rarities[place] ?? 0) / whole) * (frequency / (frequency + 1.2));
    }, 0);
    return 1 - (1 - reached) ** 2;
  };
  const fits = (seen: Seen): boolean => {
    const { path, headings, body } = seen.fields;
    const says = (phrase: string): boolean => {
      const sequence = tokensOf(phrase);
      if (sequence.length === 1) return holds(seen, sequence[0] ?? "");
      const texts = [body, path, ...seen.passage.headings.map(tokensOf)];
      return texts.some((text) => ` ${text.join(" ")} `.includes(` ${sequence.join(" ")} `));
    };
    expect(headings).toEqual(seen.passage.headings.flatMap(tokensOf));
    return query.phrases.every(says) && !query.without.some(says);
  };

  const taken = new Map<number, number>();
  return all
    .filter((seen) => tokens.some((token) => holds(seen, token)) && fits(seen))
    .filter(({ document }) => options.documents?.includes(document) ?? true)
    .map((seen) => ({
      document: seen.document,
      line: seen.passage.line,
      score: scoreOf(seen),
    }))
    .sort((a, b) => nearly(b.score - a.score) || a.document - b.document || a.line - b.line)
    .filter(({ document }) => {
      taken.set(document, (taken.get(document) ?? 0) + 1);
      return (taken.get(document) ?? 0) <= (options.perDocument ?? 1);
    })
    .slice(0, options.limit);
}

/** A posting keeps the length of its passage on a scale of eighteen steps for each doubling. */
const rounded = (length: number): number => 2 ** (Math.round(Math.log2(length + 1) * 18) / 18) - 1;

/** Scores are summed up in numbers of 32 bits, so what lies closer together than this is equal. */
const nearly = (difference: number): number => (Math.abs(difference) < 1e-6 ? 0 : difference);

/** Words of which none begins another or resembles it: so nobody is asked what was meant. */
const words = [
  "lamp",
  "lamps",
  "tower",
  "harbour",
  "keeper",
  "the",
  "of",
  "灯台",
  "東京都",
  "2026",
];

const anyText = fc.array(fc.constantFrom(...words), { maxLength: 8 }).map((said) => said.join(" "));

const anyEntry: fc.Arbitrary<IndexEntry> = fc.record({
  title: fc.array(fc.constantFrom(...words), { maxLength: 2 }).map((said) => said.join(" ")),
  path: fc.constantFrom("a.md", "lamp/b.md", "tower of keeper.md", "灯台.md"),
  passages: fc
    .array(fc.record({ headings: fc.array(anyText, { maxLength: 2 }), text: anyText }), {
      maxLength: 3,
    })
    .map((parts) => parts.map((part, place) => ({ ...part, line: place + 1, endLine: place + 1 }))),
});

type Step = { document: number; entry?: IndexEntry };

const anyStep: fc.Arbitrary<Step> = fc.record(
  { document: fc.integer({ min: 1, max: 9 }), entry: anyEntry },
  { requiredKeys: ["document"] },
);

const anyChanges = (most: number): fc.Arbitrary<Step[][]> =>
  fc.array(fc.array(anyStep, { maxLength: 3 }), { maxLength: most });

const queries = [
  "lamp",
  "the lamp of the tower",
  "lamps towers keepers harbours",
  "the of",
  "灯台 lamp",
  "東京",
  "2026 nowhere",
  '"lamp tower"',
  '"the lamp" keeper',
  "tower -lamp",
  'lamp -"tower lamp" -"lamp of"',
  "-lamp",
  '"東京都"',
];

const ways: MatchOptions[] = [
  { limit: 100, perDocument: 100 },
  { limit: 3 },
  { limit: 100, perDocument: 2, documents: [1, 3, 5, 77] },
];

test("[search.index.exact] whatever is put, replaced and removed, the index finds what a scan of everything finds", () => {
  fc.assert(
    fc.property(anyChanges(40), (changes) => {
      const { small, library } = applied(changes);
      agrees(small, library);
      small.db.close();
    }),
    { numRuns: 30 },
  );
});

test("[search.index.exact] an index that changed is the same as one that is filled at once, and tidying shows nothing", () => {
  fc.assert(
    fc.property(anyChanges(60), (changes) => {
      const { small, library } = applied(changes);
      const fresh = smallIndex();
      fresh.index.change(({ put }) => {
        for (const [document, entry] of [...library].sort(([a], [b]) => a - b)) {
          addRow(fresh.db, document, entry.path, `r${document}`);
          put(document, entry);
        }
      });
      const before = everything(small);
      expect(before).toEqual(everything(fresh));
      small.index.tidy();
      expect(everything(small)).toEqual(before);
      small.index.tidy();
      expect(everything(small)).toEqual(before);
      fresh.db.close();
      small.db.close();
    }),
    { numRuns: 30 },
  );
});

test("hundreds of tiny changes are joined again and again, and still nothing is lost or left", () => {
  const [changes] = fc.sample(fc.array(fc.tuple(anyStep), { minLength: 700, maxLength: 700 }), {
    numRuns: 1,
    seed: 20_261,
  });
  const { small, library } = applied(changes ?? []);
  const { segments } = small.db.get<{ segments: number }>(
    "SELECT count(*) AS segments FROM search_segments",
  ) ?? { segments: 0 };

  expect(changes).toHaveLength(700);
  expect(segments).toBeLessThan(32);
  agrees(small, library);
});

function applied(changes: readonly (readonly Step[])[]) {
  const small = smallIndex();
  const library = new Map<number, IndexEntry>();
  for (const steps of changes) {
    small.index.change(({ put, remove }) => {
      for (const { document, entry } of steps) {
        library.delete(document);
        small.db.run("DELETE FROM documents WHERE id = ?", document);
        if (!entry) {
          remove(document);
          continue;
        }
        addRow(small.db, document, entry.path, `r${document}`);
        put(document, entry);
        library.set(document, entry);
      }
    });
  }
  return { small, library };
}

function agrees({ index }: SmallIndex, library: Library): void {
  const held = [...library.values()].reduce((sum, { passages }) => sum + passages.length, 0);
  expect(index.count()).toBe(held);
  for (const options of ways) {
    for (const query of queries) {
      const found = index.match(readQuery(query), options);
      const expected = scan(library, query, options);
      expect(inSteadyOrder(found), query).toEqual(inSteadyOrder(expected));
      for (const [rank, { score }] of found.entries()) {
        expect(Math.abs(score - (expected[rank]?.score ?? -1)), query).toBeLessThan(1e-6);
      }
      for (const { document, passage } of found) {
        expect(library.get(document)?.passages).toContainEqual(passage);
      }
    }
  }
}

/**
 * The places in order of score. Two that lie closer together than the sums are exact may stand
 * either way round, so each such group is put in the order of its places.
 */
function inSteadyOrder(ranked: readonly (Match | Scored)[]): [number, number][] {
  const groups: (Match | Scored)[][] = [];
  for (const one of ranked) {
    const group = groups.at(-1);
    const before = group?.at(-1);
    if (group && before && nearly(before.score - one.score) === 0) group.push(one);
    else groups.push([one]);
  }
  return groups.flatMap((group) => group.map(placeOf).sort(([a, b], [c, d]) => a - c || b - d));
}

const placeOf = ({ document, ...place }: Match | Scored): [number, number] => [
  document,
  "line" in place ? place.line : place.passage.line,
];

const everything = ({ index }: SmallIndex): unknown => [
  index.count(),
  ...ways.flatMap((options) => queries.map((query) => index.match(readQuery(query), options))),
];
