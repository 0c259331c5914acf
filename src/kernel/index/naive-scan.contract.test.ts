import fc from "fast-check";
import { expect, test } from "vitest";
import { describeEveryIndex, type TestIndex } from "../../../tests/fixtures/search/every-index.ts";
import { parseQuery } from "../../text/search/query.ts";
import { tokenize } from "../../text/search/tokens.ts";
import { all } from "../storage/steps.ts";
import { proximityOf } from "./ranking/proximity.ts";
import type { IndexedDocument, Match, MatchOptions, Passage } from "./search-index.ts";

/**
 * The reference implementation of the index: a scan of every passage of every document, slow but
 * simple. After any sequence of changes, the index must return the same results.
 */
type Documents = ReadonlyMap<number, IndexedDocument>;

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

function scan(documents: Documents, written: string, options: MatchOptions): Scored[] {
  const query = parseQuery(written);
  const all: Seen[] = [...documents].flatMap(([document, { title, path, passages }]) =>
    passages.map((passage) => ({
      document,
      passage,
      fields: {
        title: tokenize(title),
        headings: passage.headings.flatMap(tokenize),
        path: tokenize(path),
        body: tokenize(passage.text),
      },
    })),
  );
  const holds = ({ fields }: Seen, token: string): boolean =>
    Object.values(fields).some((tokens) => tokens.includes(token));
  const names = ({ fields }: Seen, token: string): boolean =>
    fields.title.includes(token) || fields.headings.includes(token);
  const asked = [...new Set([...query.words, ...query.phrases].flatMap(tokenize))];
  const isAnyThere = asked.some((token) => all.some((seen) => holds(seen, token)));
  const functionWords = [...new Set(query.functionWords.flatMap(tokenize))];
  const minor = isAnyThere ? functionWords.filter((token) => !asked.includes(token)) : [];
  const major = isAnyThere ? asked : [...new Set([...asked, ...functionWords])];
  const tokens = [...major, ...minor];

  const average = Math.max(
    all.reduce((sum, { fields }) => sum + fields.body.length, 0) / Math.max(all.length, 1),
    1,
  );
  const rarities = tokens.map((token) => {
    const isMinor = minor.includes(token);
    const having = all.filter((seen) => (isMinor ? names : holds)(seen, token)).length;
    return (isMinor ? 0.05 : 1) * Math.log(1 + (all.length - having + 0.5) / (having + 0.5));
  });
  const whole = rarities.reduce((sum, rarity) => sum + rarity, 0);
  const weights = rarities.map((rarity) => rarity / whole);
  const places = query.sequence
    .flatMap(tokenize)
    .map((token, position) => ({ term: major.indexOf(token), position }))
    .filter(({ term }) => term >= 0);
  const scoreOf = (seen: Seen): number => {
    const { fields } = seen;
    const reached = tokens.reduce((sum, token, place) => {
      if (minor.includes(token) && !names(seen, token)) return sum;
      const times = fields.body.filter((one) => one === token).length;
      const length = Math.max(rounded(fields.body.length) / average, 0.3);
      const frequency =
        (fields.title.includes(token) ? 3 : 0) +
        (fields.headings.includes(token) ? 2 : 0) +
        (fields.path.includes(token) ? 1.5 : 0) +
        times / (0.25 + 0.75 * length);
      return sum + (weights[place] ?? 0) * (frequency / (frequency + 1.2));
    }, 0);
    const isOneWord = new Set(places.map(({ term }) => term)).size < 2;
    const together = isOneWord
      ? 0
      : proximityOf({ places, weights }, (term) => positionsIn(seen, tokens[term] ?? ""));
    return (reached + (1 - reached) * together) ** 0.57;
  };
  const says = (seen: Seen, phrase: string): boolean => {
    const { title, path, body } = seen.fields;
    const sequence = tokenize(phrase);
    if (sequence.length === 1) return holds(seen, sequence[0] ?? "");
    const texts = [body, title, path, ...seen.passage.headings.map(tokenize)];
    return texts.some((text) => ` ${text.join(" ")} `.includes(` ${sequence.join(" ")} `));
  };
  const excluded = new Set(
    all
      .filter((seen) => query.excluded.some((phrase) => says(seen, phrase)))
      .map(({ document }) => document),
  );
  const fits = (seen: Seen): boolean => {
    expect(seen.fields.headings).toEqual(seen.passage.headings.flatMap(tokenize));
    return query.phrases.every((phrase) => says(seen, phrase)) && !excluded.has(seen.document);
  };
  const sought = (seen: Seen): boolean =>
    major.some((token) => holds(seen, token)) || minor.some((token) => names(seen, token));

  const taken = new Map<number, number>();
  return all
    .filter((seen) => sought(seen) && fits(seen))
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

/** Where a token stands: in the body, and after it in the other fields, with gaps between them. */
function positionsIn({ fields, passage }: Seen, token: string): number[] {
  const texts = [fields.body, fields.path, fields.title, ...passage.headings.map(tokenize)];
  let start = 0;
  return texts.flatMap((text) => {
    const first = start;
    start += text.length + 32;
    return text.flatMap((one, at) => (one === token ? [first + at] : []));
  });
}

/** A posting stores the length of its passage on a logarithmic scale, 18 steps per doubling. */
const rounded = (length: number): number => 2 ** (Math.round(Math.log2(length + 1) * 18) / 18) - 1;

/** Scores are summed in 32-bit floats, so closer values count as equal. */
const nearly = (difference: number): number => (Math.abs(difference) < 1e-6 ? 0 : difference);

/** Words without common prefixes or similar spellings, so that no spelling is corrected. */
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

const anyEntry: fc.Arbitrary<IndexedDocument> = fc.record({
  title: fc.array(fc.constantFrom(...words), { maxLength: 2 }).map((said) => said.join(" ")),
  path: fc.constantFrom("a.md", "lamp/b.md", "tower of keeper.md", "灯台.md"),
  passages: fc
    .array(fc.record({ headings: fc.array(anyText, { maxLength: 2 }), text: anyText }), {
      maxLength: 3,
    })
    .map((parts) => parts.map((part, place) => ({ ...part, line: place + 1, endLine: place + 1 }))),
});

type Step = { document: number; entry?: IndexedDocument };

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

/** In the order of their paths, because documents may have the same one. */
const rootOf = (document: number): string => `r${document}`;

describeEveryIndex((openIndex, dialect) => {
  const isEmbedded = dialect === "sqlite";
  const numRuns = isEmbedded ? 30 : 3;

  test("[search.index.exact] after any sequence of writes and removals, the index finds what a full scan finds", async () => {
    await fc.assert(
      fc.asyncProperty(anyChanges(40), async (changes) => {
        const { index, documents } = await applied(changes);
        await agrees(index, documents);
      }),
      { numRuns },
    );
  });

  test("[search.index.exact] an updated index equals one built in one step, and cleanup changes no result", async () => {
    await fc.assert(
      fc.asyncProperty(anyChanges(60), async (changes) => {
        const { index, documents } = await applied(changes);
        const before = await everything(index);
        const compact = () => index.store.run(index.index.compact());
        await compact();
        expect(await everything(index)).toEqual(before);
        await compact();
        expect(await everything(index)).toEqual(before);
        const fresh = await openIndex();
        await fresh.change(
          [...documents].sort(([a], [b]) => a - b),
          rootOf,
        );
        expect(await everything(fresh)).toEqual(before);
      }),
      { numRuns },
    );
  });

  test("hundreds of tiny changes are merged repeatedly, without losses or leftovers", async () => {
    const length = isEmbedded ? 700 : 80;
    const [changes] = fc.sample(
      fc.array(fc.tuple(anyStep), { minLength: length, maxLength: length }),
      {
        numRuns: 1,
        seed: 20_261,
      },
    );
    const { index, documents } = await applied(changes ?? []);
    const segments = await index.store.run(all("SELECT id FROM search_segments"));

    expect(changes).toHaveLength(length);
    expect(segments.length).toBeLessThan(32);
    await agrees(index, documents);
  });

  async function applied(changes: readonly (readonly Step[])[]) {
    const index = await openIndex();
    const documents = new Map<number, IndexedDocument>();
    for (const steps of changes) {
      for (const { document, entry } of steps) {
        documents.delete(document);
        if (entry) documents.set(document, entry);
      }
      await index.change(
        steps.map(({ document, entry }) => [document, entry] as const),
        rootOf,
      );
    }
    return { index, documents };
  }
});

async function agrees({ match, count }: TestIndex, documents: Documents): Promise<void> {
  const held = [...documents.values()].reduce((sum, { passages }) => sum + passages.length, 0);
  expect(await count()).toBe(held);
  for (const options of ways) {
    for (const query of queries) {
      const found = await match(query, options);
      const expected = scan(documents, query, options);
      expect(inSteadyOrder(found), query).toEqual(inSteadyOrder(expected));
      for (const [rank, { score }] of found.entries()) {
        expect(Math.abs(score - (expected[rank]?.score ?? -1)), query).toBeLessThan(1e-6);
      }
      for (const { document, passage } of found) {
        expect(documents.get(document)?.passages).toContainEqual(passage);
      }
    }
  }
}

/**
 * The results by score. Scores that differ by less than the precision of the sums count as equal,
 * and equal results are sorted by position.
 */
function inSteadyOrder(ranked: readonly (Match | Scored)[]): [number, number][] {
  const groups: (Match | Scored)[][] = [];
  for (const one of ranked) {
    const group = groups.at(-1);
    const before = group?.at(-1);
    if (group && before && nearly(before.score - one.score) === 0) group.push(one);
    else groups.push([one]);
  }
  return groups.flatMap((group) => group.map(positionOf).sort(([a, b], [c, d]) => a - c || b - d));
}

const positionOf = ({ document, ...place }: Match | Scored): [number, number] => [
  document,
  "line" in place ? place.line : place.passage.line,
];

async function everything({ match, count }: TestIndex): Promise<unknown> {
  const found: unknown[] = [await count()];
  for (const options of ways) for (const query of queries) found.push(await match(query, options));
  return found;
}
