import { expect, test } from "vitest";
import { openBothIndexes, type TestIndex } from "../../../../tests/fixtures/search/every-index.ts";
import { passages } from "../../../../tests/fixtures/search/small-index.ts";
import { parseQuery } from "../../../text/search/query.ts";
import type { IndexedDocument, MatchOptions } from "../../index/search-index.ts";
import type { Steps } from "../../storage/steps.ts";

type Both = Awaited<ReturnType<typeof openBothIndexes>>;

const texts: Record<number, Partial<IndexedDocument>> = {
  1: { title: "The lamp", path: "lamp.md", passages: passages("a lamp in the tower", "lamp oil") },
  2: {
    title: "Harbour",
    path: "harbour.md",
    passages: passages("The keeper of the tower, cold milk"),
  },
  3: { title: "for...of", path: "for.md", passages: passages("Runs a loop over an iterable") },
  4: {
    title: "Names",
    path: "names.md",
    passages: passages("getUserProfileById and snake_case_name"),
  },
  5: {
    title: "灯台",
    path: "cjk.md",
    passages: passages("東京都の灯台は古い", "お茶の時間 𠮷野家"),
  },
  6: { title: "Rare", path: "rare.md", passages: passages("A deamonset and error404.") },
  7: {
    title: "Persistent",
    path: "typo.md",
    passages: passages("It is persistent; the reference"),
  },
  8: { title: "See also", path: "see.md", passages: passages("C++ and :has() and --dry-run") },
};
for (let page = 9; page < 90; page++) {
  texts[page] = {
    path: `${page}.md`,
    passages: passages(`The daemonset of page ${page}, error405.`),
  };
}

const queries = [
  "lamp",
  "the lamp of the tower",
  "how is the lamp in the tower lit?",
  '"cold milk" keeper',
  '"the tower" -milk',
  'lamp -"lamp oil"',
  "tower harbour lamp keeper cold",
  "for of loop",
  "la*",
  "la* tower",
  "UserProfile",
  "user profile",
  "case_name",
  "灯台",
  "茶",
  "𠮷野 灯台",
  "deamonset",
  "deamonset pages",
  "error404",
  "persistant",
  '"persistant"',
  "refrence towr",
  "lapm",
  "C++",
  ":has( selector",
  "--dry-run",
  "nowhere",
  "-lamp",
  "2026 page",
];

const ways: Partial<MatchOptions>[] = [
  {},
  { limit: 3 },
  { limit: 100, perDocument: 5 },
  { documents: [1, 3, 5, 7, 40, 77] },
  { roots: ["other"], limit: 100 },
];

async function fill(index: TestIndex): Promise<void> {
  const all = Object.entries(texts).map(([document, entry]) => [Number(document), entry] as const);
  for (const one of all.slice(0, 20)) await index.change([one]);
  await index.change(all.slice(20), "other");
  await index.setTitle(3, "for...of");
  await index.setTitle(1, "The lamp");
}

async function expectSame(of: Both, tried = ways, index = of.postgres): Promise<void> {
  expect(await index.count()).toBe(await of.sqlite.count());
  for (const query of queries) {
    for (const options of tried) {
      const expected = await of.sqlite.match(query, options);
      expect(await index.match(query, options), `${query} ${JSON.stringify(options)}`).toEqual(
        expected,
      );
    }
  }
}

test("[scale.index.same] PostgreSQL returns the same passages, scores and explanations as SQLite", async () => {
  const both = await openBothIndexes();
  for (const index of [both.sqlite, both.postgres]) await fill(index);
  await expectSame(both);

  for (const index of [both.sqlite, both.postgres]) {
    await index.remove(2);
    await index.put(1, { path: "lamp.md", passages: passages("a lantern in the harbour") });
    await index.change([
      [4, undefined],
      [91, { passages: passages("a lamp and a lamppost") }],
    ]);
  }
  await expectSame(both, [{}]);
  await expectSame(both, [{}], both.otherProcess());

  for (const index of [both.sqlite, both.postgres]) await index.store.run(index.index.compact());
  await expectSame(both, [{}, { roots: ["other"] }]);
});

test("[scale.index.trips] an ordinary search takes at most five round trips, and a batch seven", async () => {
  const both = await openBothIndexes();
  await fill(both.postgres);
  const cold = both.otherProcess();
  const trips = (query: string, options?: Partial<MatchOptions>) =>
    both.tripsOf(() => cold.match(query, options));

  expect(await trips("the daemonset of a page")).toBeLessThanOrEqual(3);
  // Other spellings of rare words are looked up.
  expect(await trips("lantern harbour")).toBeLessThanOrEqual(4);
  expect(await trips('"a lamp" -milk')).toBeLessThanOrEqual(4);
  expect(await trips("lapm")).toBeLessThanOrEqual(5);
  expect(await trips("daemonset", { roots: ["other"] })).toBeLessThanOrEqual(4);
  const batch = Array.from({ length: 200 }, (_, file) => {
    const text = `file ${file} of lamps in words${file % 7}`;
    return [1_000 + file, { passages: passages(text, "more") }] as const;
  });
  const writing = () =>
    cold.store.run(
      cold.index.change(({ put }) => {
        for (const [document, entry] of batch)
          put(document, { title: "", path: `${document}`, ...entry });
      }),
    );
  expect(await both.tripsOf(async () => writing())).toBeLessThanOrEqual(7);
});

test("[scale.index.stale] a search that a concurrent merge disturbs begins again", async () => {
  const both = await openBothIndexes();
  const [reader, writer] = [both.otherProcess(), both.otherProcess()];
  await writer.put(500, { passages: passages("a barnacle", "barnacle goose") });
  await writer.put(501, { passages: passages("the barnacle of a ship") });
  function* disturbed<Result>(steps: Steps<Result>): Steps<Result> {
    let next = steps.next();
    for (let step = 0; !next.done; step++) {
      const result = yield next.value;
      if (step === 0) {
        yield* writer.index.change(({ remove }) => remove(501));
        yield* writer.index.compact();
      }
      next = steps.next(result);
    }
    return next.value;
  }
  const search = (query: string) => reader.index.match(parseQuery(query), { limit: 10 });

  for (const query of ["barnacle", "banracle"]) {
    await writer.put(501, { passages: passages("the barnacle of a ship") });
    const found = await reader.store.run(disturbed(search(query)));
    expect(
      found.map(({ document }) => document),
      query,
    ).toEqual([500]);
  }
});
