import { expect, test } from "vitest";
import { passages, smallIndex } from "../../../tests/fixtures/search/small-index.ts";
import { parseQuery } from "../../text/search/query.ts";
import { openVocabulary } from "./vocabulary.ts";

/** The documents that a query finds in texts, numbered from one. */
function found(texts: readonly string[], query: string): number[] {
  const { index, put } = smallIndex();
  for (const [place, text] of texts.entries()) put(place + 1, { passages: passages(text) });
  return index.match(parseQuery(query), { limit: 100 }).map(({ document }) => document);
}

test("[search.words.typos] a missing, extra, doubled, wrong or transposed letter is corrected", () => {
  const texts = ["the reference resolution of lamps", "something else"];
  const slips = [
    "referense resolusion",
    "refrence",
    "refference",
    "referencee",
    "rfeerence",
    "resoltuion",
    "lapms",
    "lammps",
    "lmps",
  ];
  for (const query of slips) expect(found(texts, query), query).toEqual([1]);
});

test("a short word is never corrected, and a long one not to a distant word", () => {
  expect(found(["cat", "lamp"], "cut")).toEqual([]);
  expect(found(["cat", "lamp"], "lomb")).toEqual([]);
  expect(found(["reference"], "rfrnc")).toEqual([]);
  expect(found(["reference"], "preferred")).toEqual([]);
});

test("an indexed word is never corrected", () => {
  expect(found(["a form", "a from", "a farm"], "form")).toEqual([1]);
  expect(found(["lamps", "lamp posts", "clamp"], "lamp").toSorted()).toEqual([1, 2]);
});

test.each([
  ["persistant", "persistent"],
  ["kubernets", "kubernetes"],
  ["occured", "occurred"],
])(
  "[search.words.typos] %s is reported as a misspelling, though its stem is indexed",
  (typed, meant) => {
    const { index, put } = smallIndex();
    put(1, { passages: passages(`It is ${meant} here.`) });
    const matches = (query: string) => index.match(parseQuery(query), { limit: 9 });

    expect(matches(typed)[0]?.words).toMatchObject([{ word: typed, read: [meant] }]);
    expect(matches(`"${typed}"`)).toEqual([]);
    expect(matches(`"${meant}"`)).toHaveLength(1);
  },
);

test.each([
  ["lamps", "lamp"],
  ["studied", "studies"],
  ["connected", "connecting"],
  ["house's", "house"],
])("[search.words.typos] %s is a form of %s, not a misspelling", (typed, indexed) => {
  const { index, put } = smallIndex();
  put(1, { passages: passages(`It is ${indexed} here.`) });
  const [word] = index.match(parseQuery(typed), { limit: 9 })[0]?.words ?? [];

  expect(word?.strength).toBeGreaterThan(0);
  expect(word?.read).toBeUndefined();
});

test("a name with another number is a different word", () => {
  const texts = ["error404 of utf16 and python3", "a house1234"];
  for (const query of ["error405", "utf32", "house1235", "house123", "house12345"]) {
    expect(found(texts, query), query).toEqual(query === "house123" ? [2] : []);
  }
  expect(found(texts, "pyhton3 eror404")).toEqual([1]);
});

test("the fewest edits win, then the closest word still in use", () => {
  expect(found(["resolution", "revolution"], "resoluton")).toEqual([1]);
  const { index, put, remove } = smallIndex();
  put(1, { passages: passages("resolution") });
  put(2, { passages: passages("revolution") });
  const find = () => index.match(parseQuery("resoluton"), { limit: 9 }).map((hit) => hit.document);
  remove(1);
  expect(find()).toEqual([2]);
  index.compact();
  expect(find()).toEqual([2]);
});

test("a word is found by its prefix, with a star or incomplete", () => {
  const texts = ["a grammar", "grammatical things", "a gram"];
  expect(found(texts, "gramma*").toSorted()).toEqual([1, 2]);
  expect(found(texts, "gramma").toSorted()).toEqual([1, 2]);
  expect(found(texts, "gram*").toSorted()).toEqual([1, 2, 3]);
  expect(found(texts, "rammar*")).toEqual([]);
});

test("a number or a short word is not a prefix of others", () => {
  expect(found(["in 2026 it was", "nothing"], "2026*")).toEqual([1]);
  expect(found(["go there", "nothing"], "go*")).toEqual([1]);
  expect(found(["light work"], "lighting*")).toEqual([]);
});

test("only the last of several words is a prefix", () => {
  expect(found(["multi agents", "multiple things", "agency"], "multi-agen*").toSorted()).toEqual([
    1, 3,
  ]);
  expect(found(["灯台 lighthouse", "nothing"], "灯台lighth*")).toEqual([1]);
});

test("words no longer in use never hide those in use", () => {
  const { index, put, remove } = smallIndex();
  const ghosts = Array.from(
    { length: 300 },
    (_, place) => `lam${String.fromCharCode(97 + (place % 26))}${place}`,
  );
  put(1, { passages: passages(ghosts.join(" ")) });
  put(2, { passages: passages("lamentation") });
  remove(1);
  const find = (query: string) =>
    index.match(parseQuery(query), { limit: 9 }).map(({ document }) => document);

  expect(find("lam*")).toEqual([2]);
  expect(find("lamen")).toEqual([2]);
});

test("cleanup drops words no longer in use, and they can be added again", () => {
  const { db, index, put, remove } = smallIndex();
  const words = () =>
    db
      .all<{ word: string }>("SELECT word FROM search_vocabulary ORDER BY word")
      .map((row) => row.word);
  put(1, { passages: passages("lamps and lighthouses") });
  put(2, { passages: passages("a tower") });
  remove(1);
  index.compact();
  expect(words()).toEqual(["tower"]);

  put(3, { passages: passages("lamps and lighthouses") });
  expect(words()).toEqual(["and", "lamps", "lighthouses", "tower"]);
  expect(index.match(parseQuery("lihgthouses"), { limit: 9 })).toHaveLength(1);
});

test("only words that people may type are kept", () => {
  const { db } = smallIndex();
  const vocabulary = openVocabulary(db, "search");
  const words = ["lamp", "go", "2026", "v2x", "灯台", "маяк", "x".repeat(64), "x".repeat(65), "__"];
  vocabulary.addWords(words.map((word) => [word, word]));
  const kept = db
    .all<{ word: string }>("SELECT word FROM search_vocabulary")
    .map((row) => row.word);

  expect(kept.toSorted()).toEqual(["lamp", "v2x", "x".repeat(64), "маяк"].toSorted());
});

test("wildcards of databases and patterns in a prefix are literal", () => {
  for (const query of [
    "%*",
    "_*",
    "l_mp*",
    "'; DROP TABLE search_vocabulary; --*",
    "\\*",
    "[a-z]*",
  ]) {
    expect(found(["lamp"], query)).toEqual([]);
  }
});
