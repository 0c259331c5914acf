import { expect, test } from "vitest";
import { passages, smallIndex } from "../../../tests/fixtures/search/small-index.ts";
import { parseQuery } from "../../text/search/query.ts";

/** An index in which one document has a typo, and sixty have the word that was meant. */
function manual() {
  const { index, put } = smallIndex();
  put(1, { passages: passages("A deamonset of lamps, and one statue of error404.") });
  for (let page = 2; page <= 61; page++) {
    put(page, { passages: passages(`The daemonset of page ${page} has the status error405.`) });
  }
  put(62, { title: "DaemonSet", passages: passages("A daemonset runs rolling updates.") });
  return (query: string) => index.match(parseQuery(query), { limit: 99 });
}

const documents = (matches: { document: number }[]) => matches.map(({ document }) => document);

test("[search.words.rare] a rare word is also searched as the frequent word one edit away", () => {
  const match = manual();
  const found = match("deamonset");

  expect(documents(found).slice(0, 2)).toEqual([1, 62]);
  expect(found).toHaveLength(62);
  expect(found[0]?.words[0]).not.toHaveProperty("read");
  expect(found[1]?.words[0]).toMatchObject({ read: ["daemonset"], rare: true });
  expect(found[1]?.words[0]?.found).toMatchObject({ title: 1, body: 1 });
  expect(documents(match("deamonset rolling updates"))[0]).toBe(62);
});

test.each([
  ["a quoted word", '"deamonset"'],
  ["a word with digits", "error404"],
  ["a name", "deamonset_lamps"],
  ["an option", "--deamonset"],
  ["a word with another ending", "statue"],
  ["the frequent word", "lamps"],
])("[search.words.rare] %s is searched only as it is", (_, query) => {
  const read = manual()(query).flatMap(({ words }) => words.flatMap((word) => word.read ?? []));

  expect(read).toEqual([]);
});

test("[search.words.rare] a word is not rare beside another that is nearly as rare", () => {
  const { index, put } = smallIndex();
  put(1, { passages: passages("the causal chain") });
  for (let page = 2; page <= 12; page++) put(page, { passages: passages("a casual note") });

  expect(documents(index.match(parseQuery("causal"), { limit: 99 }))).toEqual([1]);
});
