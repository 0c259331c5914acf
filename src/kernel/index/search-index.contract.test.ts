import { expect, test } from "vitest";
import { describeEveryIndex } from "../../../tests/fixtures/search/every-index.ts";
import { passages } from "../../../tests/fixtures/search/small-index.ts";
import { parseQuery } from "../../text/search/query.ts";
import type { IndexedDocument, MatchOptions } from "./search-index.ts";

/** Documents by name; the id of a document is its position in the list. */
type Texts = Record<string, string | Partial<IndexedDocument>>;

const rootOf = (name: string): string => name.split("/")[0] ?? "";

const entryOf = (given: string | Partial<IndexedDocument>): Partial<IndexedDocument> =>
  typeof given === "string" ? { passages: passages(given) } : given;

/** A passage of ordinary words around the searched ones. */
const prose = (words: string, length = 40): string =>
  `${words} ${Array.from({ length }, (_, place) => `other${place}`).join(" ")}`;

describeEveryIndex((openIndex) => {
  const fill = async (texts: Texts) => {
    const index = await openIndex();
    const names = Object.keys(texts);
    for (const root of new Set(names.map(rootOf))) {
      const own = Object.entries(texts).filter(([name]) => rootOf(name) === root);
      await index.change(
        own.map(([name, given]) => {
          const path = name.slice(root.length + 1);
          return [names.indexOf(name) + 1, { path, ...entryOf(given) }];
        }),
        root,
      );
    }
    return index;
  };
  const matches = async (texts: Texts, written: string, options: Partial<MatchOptions> = {}) =>
    (await fill(texts)).match(written, options);
  const found = async (texts: Texts, written: string, options: Partial<MatchOptions> = {}) =>
    (await matches(texts, written, options)).map(
      ({ document }) => Object.keys(texts)[document - 1] ?? "",
    );

  test("[search.words.cjk] a single character is found in every word that contains it", async () => {
    const texts = { "a/1": "我們喝水和茶", "a/2": "お茶の時間", "a/3": "咖啡", "a/4": "茶" };

    expect((await found(texts, "茶")).toSorted()).toEqual(["a/1", "a/2", "a/4"]);
    expect(await found(texts, "水")).toEqual(["a/1"]);
    expect((await found(texts, "水 時")).toSorted()).toEqual(["a/1", "a/2"]);
    expect(await found(texts, "酒")).toEqual([]);
  });

  test("a question finds documents with some of its words, those with more first", async () => {
    const texts = { "a/1": "the lamp", "a/2": "the lamp of the tower", "a/3": "nothing here" };

    expect(await found(texts, "how is the lamp in the tower lit?")).toEqual(["a/2", "a/1"]);
  });

  test("all matching documents are ranked as they are matched", async () => {
    const texts = Object.fromEntries(
      Array.from({ length: 1_200 }, (_, n) => [`a/${n}`, "lamp ".repeat((n % 7) + 1)]),
    );
    const { index, match, store } = await fill(texts);

    const all = (await match("lamp", { limit: 2_000 })).map(({ document }) => document);
    expect(all).toHaveLength(1_200);
    expect(await store.run(index.rank(parseQuery("lamp")))).toEqual(all);
  });

  test("[search.ranking.fields] a match in a title outranks one in a heading, and a heading outranks body text", async () => {
    const texts = {
      "a/1": { title: "Something", passages: passages(prose("lamp")) },
      "a/2": {
        title: "Something",
        passages: [{ headings: ["The lamp"], line: 1, endLine: 1, text: prose("it") }],
      },
      "a/3": { title: "The lamp", passages: passages(prose("it")) },
      "a/lamp": { title: "Something", passages: passages(prose("it")) },
    };

    expect(await found(texts, "lamp")).toEqual(["a/3", "a/2", "a/lamp", "a/1"]);
  });

  test("[search.words.coverage] all words outrank one of them, regardless of its frequency", async () => {
    const texts = { "a/1": prose("lamp lamp lamp lamp lamp lamp"), "a/2": prose("lamp tower") };

    expect(await found(texts, "lamp tower")).toEqual(["a/2", "a/1"]);
  });

  test("a rare word counts more than a frequent one", async () => {
    const others = Object.fromEntries(
      Array.from({ length: 20 }, (_, number) => [`a/${number}`, prose("lamp")]),
    );
    const texts = { ...others, "a/rare": prose("astrolabe") };

    expect((await found(texts, "lamp astrolabe"))[0]).toBe("a/rare");
  });

  test("a section with only a heading does not outrank the one with the answer", async () => {
    const texts = {
      "a/1": {
        title: "Handbook",
        passages: [
          { headings: ["Lamp"], line: 1, endLine: 1, text: "# Lamp" },
          {
            headings: ["Lighting the lamp"],
            line: 3,
            endLine: 9,
            text: prose(
              "# Lighting the lamp\nTo light the lamp, trim the wick and light the gas.",
              20,
            ),
          },
        ],
      },
    };

    expect((await matches(texts, "how do I light the lamp?"))[0]?.passage.line).toBe(3);
  });

  test("a phrase must match word for word", async () => {
    const texts = { "a/1": "green leaf tea", "a/2": "leaf green tea" };

    expect(await found(texts, 'tea "green leaf"')).toEqual(["a/1"]);
  });

  test("[search.words.phrase] a phrase is found across a line break, in a heading and in a path", async () => {
    const texts = {
      "a/1": "a green\nleaf",
      "a/2": {
        passages: [{ headings: ["Of green leaf"], line: 1, endLine: 1, text: "tea" }],
      },
      "a/green leaf.md": "tea",
      "a/4": "green tea with a leaf",
      "a/5": {
        passages: [{ headings: ["green"], line: 1, endLine: 1, text: "leaf" }],
      },
    };

    expect((await found(texts, '"green leaf"')).toSorted()).toEqual([
      "a/1",
      "a/2",
      "a/green leaf.md",
    ]);
  });

  test("a one-word phrase must match too, and one without letters is ignored", async () => {
    const texts = { "a/1": "tea", "a/2": "leaf", "a/3": "tea leaf" };

    expect((await found(texts, 'tea "leaf"')).toSorted()).toEqual(["a/2", "a/3"]);
    expect((await found(texts, 'tea "!!!"')).toSorted()).toEqual(["a/1", "a/3"]);
    expect(await found(texts, '"!!!"')).toEqual([]);
  });

  test("excluded words are not found", async () => {
    expect(await found({ "a/1": "tea with milk", "a/2": "tea" }, "tea -milk")).toEqual(["a/2"]);
  });

  test("[search.words.without] an excluded phrase excludes its words only in sequence", async () => {
    const texts = { "a/1": "tea with cold milk", "a/2": "tea, cold, with warm milk", "a/3": "tea" };

    expect((await found(texts, 'tea -"cold milk"')).toSorted()).toEqual(["a/2", "a/3"]);
    expect((await found(texts, "tea -cold-milk")).toSorted()).toEqual(["a/2", "a/3"]);
  });

  test("[search.words.without] a document with an excluded word in any passage is not found", async () => {
    const { match, put } = await openIndex();
    await put(1, { passages: passages("tea", "milk") });
    await put(2, { passages: passages("cold milk", "tea", "tea") });
    await put(3, { passages: passages("tea", "milk, cold") });
    await put(4, { title: "milk", passages: passages("tea") });
    await put(5, { passages: passages("tea") });
    const found = async (query: string) => (await match(query)).map(({ document }) => document);

    expect(await found("tea -milk")).toEqual([5]);
    expect((await found('tea -"cold milk"')).toSorted()).toEqual([1, 3, 4, 5]);
    expect(await found("tea leaf -milk")).toEqual([5]);
  });

  test("[search.words.typos] no word is corrected to a function word", async () => {
    const texts = { "a/1": "how to, if any, of these", "a/2": "tapes" };

    expect((await matches(texts, "hany tapes")).map(({ words }) => words[0]?.read)).toEqual([
      undefined,
    ]);
    expect(await found(texts, "theese")).toEqual([]);
  });

  test("exclusions alone find nothing", async () => {
    for (const query of ["-milk", '-"cold milk"', '-tea -"x"', "-", '-""', "--"]) {
      expect(await found({ "a/1": "tea" }, query)).toEqual([]);
    }
  });

  test("function words count only if nothing else is found", async () => {
    const texts = { "a/1": "it is what it is", "a/2": "a lamp" };

    expect(await found(texts, "what is it")).toEqual(["a/1"]);
    expect(await found(texts, "what is a lamp")).toEqual(["a/2"]);
    expect(await found(texts, "what is a whale")).toEqual(["a/1", "a/2"]);
  });

  test("[search.filter.loses-nothing] a collection's documents are found even if many others match better", async () => {
    const { match, change } = await openIndex();
    const crowd = Array.from({ length: 5_000 }, () => "css css css");
    const others = Array.from({ length: 298 }, (_, index) => index + 2);
    await change(
      [
        [1, { title: "css", passages: passages(...crowd) }],
        ...others.map((number) => [number, { passages: passages("css css") }] as const),
      ],
      "big",
    );
    await change([[300, { passages: passages(prose("a text that says css once")) }]], "small");
    const first = async (options: Partial<MatchOptions>) =>
      (await match("css", { limit: 1, ...options })).map(({ document }) => document);

    expect(await first({ roots: ["small"] })).toEqual([300]);
    expect(await first({ documents: [300] })).toEqual([300]);
    expect(await first({ documents: [299, 300], roots: ["small"] })).toEqual([300]);
    expect(await first({ roots: [] })).toEqual([]);
    expect(await first({ documents: [] })).toEqual([]);
    expect(await first({ roots: ["none"], documents: [300] })).toEqual([]);
  });

  test("keywords of query languages are ordinary words", async () => {
    const texts = { "a/1": "near or and not" };

    expect(await found(texts, 'AND OR NOT NEAR( "" * ^ : { } + - \\ \' ; --')).toEqual(["a/1"]);
  });

  test("two characters of a script without spaces are found", async () => {
    const texts = { "a/1": "この灯台は古い", "a/2": "海図は湿気に弱い" };

    expect(await found(texts, "灯台")).toEqual(["a/1"]);
  });

  test("[search.words.cjk] parts of a run, characters outside the BMP and mixed words are found", async () => {
    const texts = {
      "a/1": "東京都の灯台",
      "a/2": "𠮷野家の牛丼",
      "a/3": "新しいAPIを使う",
      "a/4": "山",
      "a/5": "서울시 날씨",
    };

    expect(await found(texts, "京都")).toEqual(["a/1"]);
    expect(await found(texts, "𠮷野")).toEqual(["a/2"]);
    expect(await found(texts, "api")).toEqual(["a/3"]);
    expect(await found(texts, "しいAPIを使")).toEqual(["a/3"]);
    expect(await found(texts, "山")).toEqual(["a/4"]);
    expect(await found(texts, "날씨")).toEqual(["a/5"]);
    expect(await found(texts, '"灯台"')).toEqual(["a/1"]);
    expect(await found(texts, '"台灯"')).toEqual([]);
    expect(await found(texts, "東京タワー")).toEqual(["a/1"]);
  });

  test("a document is found once, by its best passage", async () => {
    const texts = { "a/1": { passages: passages(prose("a lamp"), "lamp lamp") } };

    expect((await matches(texts, "lamp")).map(({ passage }) => passage.line)).toEqual([2]);
  });

  test("[search.passages.per-file] the requested number of passages per document is returned", async () => {
    const texts = {
      "a/1": { passages: passages("lamp lamp lamp", "lamp lamp", prose("lamp"), "tower") },
      "a/2": { passages: passages(prose("lamp"), prose("lamp", 90)) },
    };
    const limitedHits = async (perDocument: number, limit = 10) =>
      (await matches(texts, "lamp", { perDocument, limit })).map(({ document, passage }) => [
        document,
        passage.line,
      ]);

    expect(await limitedHits(2)).toEqual([
      [1, 1],
      [1, 2],
      [2, 1],
      [2, 2],
    ]);
    expect(await limitedHits(9)).toHaveLength(5);
    expect(await limitedHits(9, 3)).toEqual((await limitedHits(9)).slice(0, 3));
  });

  test("replaced and removed documents are not found", async () => {
    const { change, match, count } = await fill({ "a/1": "lamp", "a/2": "lamp" });
    await change([
      [1, { passages: passages("tower") }],
      [2, undefined],
      [2, undefined],
      [77, undefined],
    ]);

    expect(await match("lamp")).toEqual([]);
    expect(await count()).toBe(1);
  });

  test("a document added and removed in one change is not indexed, and the last of two writes wins", async () => {
    const { change, match, count } = await fill({ "a/1": "lamp", "a/2": "lamp" });
    await change([
      [1, { passages: passages("tower") }],
      [1, undefined],
      [2, { passages: passages("harbour") }],
      [2, { passages: passages("harbour keeper") }],
    ]);

    expect(await count()).toBe(1);
    expect(await match("lamp tower")).toEqual([]);
    expect(await match("harbour")).toMatchObject([
      { document: 2, passage: { text: "harbour keeper" } },
    ]);
  });

  test("scores are between 0 and 1, highest first", async () => {
    const texts = { "a/1": "lamp", "a/2": "lamp lamp tower", "a/3": "tower" };
    const scores = (await matches(texts, "lamp tower")).map(({ score }) => score);

    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    for (const score of scores) expect(score > 0 && score <= 1).toBe(true);
  });

  test("[search.search.score] scores are comparable between queries: high for all words, lower for some", async () => {
    const texts = {
      "a/full": { title: "Lamp tower", passages: passages("lamp tower lamp tower") },
      "a/half": { title: "Lamp", passages: passages("lamp lamp lamp lamp") },
      "a/once": prose("lamp tower"),
      ...Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`b/${n}`, prose("whale")])),
    };
    const scoreOf = async (query: string, name: string) => {
      const place = Object.keys(texts).indexOf(name) + 1;
      const hit = (await matches(texts, query, { limit: 99 })).find(
        ({ document }) => document === place,
      );
      return hit?.score ?? 0;
    };

    expect(await scoreOf("lamp tower", "a/full")).toBeGreaterThan(0.9);
    expect(await scoreOf("lamp tower", "a/half")).toBeLessThan(0.75);
    expect(await scoreOf("lamp tower", "a/half")).toBeLessThan(
      await scoreOf("lamp tower", "a/once"),
    );
    expect(await scoreOf("lamp tower nowhere neither nor", "a/full")).toBeLessThan(
      await scoreOf("lamp tower", "a/full"),
    );
    expect(await scoreOf("lamp", "a/half")).toBeCloseTo(
      await scoreOf("lamp lamp lamp", "a/half"),
      6,
    );
    expect(
      Math.abs((await scoreOf("whale", "b/1")) - (await scoreOf("lamp tower", "a/once"))),
    ).toBeLessThan(0.2);
  });

  test("equal scores are ordered by document and position, however often a document was written", async () => {
    const { match, put } = await openIndex();
    for (const document of [4, 2, 3, 1, 2, 4, 2])
      await put(document, { passages: passages("lamp", "lamp") });
    const found = (await match("lamp", { limit: 6, perDocument: 2 })).map(
      ({ document, passage }) => [document, passage.line],
    );

    expect(found).toEqual([
      [1, 1],
      [1, 2],
      [2, 1],
      [2, 2],
      [3, 1],
      [3, 2],
    ]);
  });

  test("a score is explained word by word", async () => {
    const texts = { "a/lamp": { title: "The lamp", passages: passages("lamp and lamp, tower") } };
    const [hit] = await matches(texts, "lamp tower nowhere");

    expect(hit?.words.map(({ word, found }) => [word, found])).toEqual([
      ["lamp", { title: 1, headings: 0, path: 1, body: 2 }],
      ["tower", { title: 0, headings: 0, path: 0, body: 1 }],
      ["nowhere", { title: 0, headings: 0, path: 0, body: 0 }],
    ]);
    const weights = hit?.words.map(({ weight }) => weight) ?? [];
    expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 6);
    const reached =
      hit?.words.reduce((sum, { weight, strength }) => sum + weight * strength, 0) ?? 0;
    // The rest is for words that stand together.
    expect(hit?.score).toBeGreaterThan(reached ** 0.57);
  });

  test("a query of ten thousand characters, of one word or of thousands, is answered", async () => {
    const texts = { "a/1": "lamp", "a/2": `${"y".repeat(9_000)}` };
    const many = Array.from({ length: 1_600 }, (_, place) => `w${place}`).join(" ");

    expect(await found(texts, `lamp ${many}`)).toEqual(["a/1"]);
    expect(await found(texts, "y".repeat(9_000))).toEqual(["a/2"]);
    expect(await found(texts, `lamp ${many.replaceAll(" ", " -")}`)).toEqual(["a/1"]);
    expect(await found(texts, `"${many}"`)).toEqual([]);
    expect(await found(texts, many.replaceAll(" ", '" "'))).toEqual([]);
    expect(await found(texts, `${'"lamp" '.repeat(1_200)}`)).toEqual(["a/1"]);
  });
});
