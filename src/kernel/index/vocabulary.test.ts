import { expect, test } from "vitest";
import { passages, smallIndex } from "../../../tests/fixtures/small-index.ts";
import { readQuery } from "../../text/query.ts";
import { openVocabulary } from "./vocabulary.ts";

/** The documents that a query finds among texts, numbered from one. */
function found(texts: readonly string[], query: string): number[] {
  const { index, put } = smallIndex();
  for (const [place, text] of texts.entries()) put(place + 1, { passages: passages(text) });
  return index.match(readQuery(query), { limit: 100 }).map(({ document }) => document);
}

test("[search.words.typos] a letter too few, too many, doubled, mistaken or changed with its neighbour is forgiven", () => {
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

test("a short word is never taken for another, and a long one not for what is far away", () => {
  expect(found(["cat", "lamp"], "cut")).toEqual([]);
  expect(found(["cat", "lamp"], "lomb")).toEqual([]);
  expect(found(["reference"], "rfrnc")).toEqual([]);
  expect(found(["reference"], "preferred")).toEqual([]);
});

test("a word that somebody wrote is never second-guessed", () => {
  expect(found(["a form", "a from", "a farm"], "form")).toEqual([1]);
  expect(found(["lamps", "lamp posts", "clamp"], "lamp").toSorted()).toEqual([1, 2]);
});

test("a name with another number is another thing", () => {
  const texts = ["error404 of utf16 and python3", "a house1234"];
  for (const query of ["error405", "utf32", "house1235", "house123", "house12345"]) {
    expect(found(texts, query), query).toEqual(query === "house123" ? [2] : []);
  }
  expect(found(texts, "pyhton3 eror404")).toEqual([1]);
});

test("the fewest slips win, and the nearest that is still written counts", () => {
  expect(found(["resolution", "revolution"], "resoluton")).toEqual([1]);
  const { index, put, remove } = smallIndex();
  put(1, { passages: passages("resolution") });
  put(2, { passages: passages("revolution") });
  const find = () => index.match(readQuery("resoluton"), { limit: 9 }).map((hit) => hit.document);
  remove(1);
  expect(find()).toEqual([2]);
  index.tidy();
  expect(find()).toEqual([2]);
});

test("a word is found by its beginning, written with a star or unfinished", () => {
  const texts = ["a grammar", "grammatical things", "a gram"];
  expect(found(texts, "gramma*").toSorted()).toEqual([1, 2]);
  expect(found(texts, "gramma").toSorted()).toEqual([1, 2]);
  expect(found(texts, "gram*").toSorted()).toEqual([1, 2, 3]);
  expect(found(texts, "rammar*")).toEqual([]);
});

test("a number or a short word begins with itself", () => {
  expect(found(["in 2026 it was", "nothing"], "2026*")).toEqual([1]);
  expect(found(["go there", "nothing"], "go*")).toEqual([1]);
  expect(found(["light work"], "lighting*")).toEqual([]);
});

test("only the last of several words is a beginning", () => {
  expect(found(["multi agents", "multiple things", "agency"], "multi-agen*").toSorted()).toEqual([
    1, 3,
  ]);
  expect(found(["灯台 lighthouse", "nothing"], "灯台lighth*")).toEqual([1]);
});

test("words that nobody writes any more never stand in the way of those that are written", () => {
  const { index, put, remove } = smallIndex();
  const ghosts = Array.from(
    { length: 300 },
    (_, place) => `lam${String.fromCharCode(97 + (place % 26))}${place}`,
  );
  put(1, { passages: passages(ghosts.join(" ")) });
  put(2, { passages: passages("lamentation") });
  remove(1);
  const find = (query: string) =>
    index.match(readQuery(query), { limit: 9 }).map(({ document }) => document);

  expect(find("lam*")).toEqual([2]);
  expect(find("lamen")).toEqual([2]);
});

test("tidying forgets words that nobody writes any more, and they can be learned again", () => {
  const { db, index, put, remove } = smallIndex();
  const words = () =>
    db
      .all<{ word: string }>("SELECT word FROM search_vocabulary ORDER BY word")
      .map((row) => row.word);
  put(1, { passages: passages("lamps and lighthouses") });
  put(2, { passages: passages("a tower") });
  remove(1);
  index.tidy();
  expect(words()).toEqual(["tower"]);

  put(3, { passages: passages("lamps and lighthouses") });
  expect(words()).toEqual(["and", "lamps", "lighthouses", "tower"]);
  expect(index.match(readQuery("lihgthouses"), { limit: 9 })).toHaveLength(1);
});

test("words are kept that people may mean to type, and no others", () => {
  const { db } = smallIndex();
  const vocabulary = openVocabulary(db, "search");
  vocabulary.learn([
    "lamp",
    "go",
    "2026",
    "v2x",
    "灯台",
    "маяк",
    "x".repeat(32),
    "x".repeat(33),
    "__",
  ]);
  const kept = db
    .all<{ word: string }>("SELECT word FROM search_vocabulary")
    .map((row) => row.word);

  expect(kept.toSorted()).toEqual(["lamp", "v2x", "x".repeat(32), "маяк"].toSorted());
});

test("a beginning that a database or a pattern could misread is only letters", () => {
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
