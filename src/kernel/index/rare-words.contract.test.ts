import { expect, test } from "vitest";
import { describeEveryIndex } from "../../../tests/fixtures/search/every-index.ts";
import { passages } from "../../../tests/fixtures/search/small-index.ts";

const documents = (matches: { document: number }[]) => matches.map(({ document }) => document);

describeEveryIndex((openIndex) => {
  /** An index in which one document has a typo, and sixty have the word that was meant. */
  async function manual() {
    const { match, change } = await openIndex();
    const pages = Array.from(
      { length: 60 },
      (_, at) => `The daemonset of page ${at + 2} has the status error405.`,
    );
    const texts = ["A deamonset of lamps, and one statue of error404.", ...pages];
    await change([
      ...texts.map((text, at) => [at + 1, { passages: passages(text) }] as const),
      [62, { title: "DaemonSet", passages: passages("A daemonset runs rolling updates.") }],
    ]);
    return (query: string) => match(query, { limit: 99 });
  }

  test("[search.words.rare] a rare word is also searched as the frequent word one edit away", async () => {
    const match = await manual();
    const found = await match("deamonset");

    expect(documents(found).slice(0, 2)).toEqual([1, 62]);
    expect(found).toHaveLength(62);
    expect(found[0]?.words[0]).not.toHaveProperty("read");
    expect(found[1]?.words[0]).toMatchObject({ read: ["daemonset"], rare: true });
    expect(found[1]?.words[0]?.found).toMatchObject({ title: 1, body: 1 });
    expect(documents(await match("deamonset rolling updates"))[0]).toBe(62);
  });

  test.each([
    ["a quoted word", '"deamonset"'],
    ["a word with digits", "error404"],
    ["a name", "deamonset_lamps"],
    ["an option", "--deamonset"],
    ["a word with another ending", "statue"],
    ["the frequent word", "lamps"],
  ])("[search.words.rare] %s is searched only as it is", async (_, query) => {
    const read = (await (await manual())(query)).flatMap(({ words }) =>
      words.flatMap((word) => word.read ?? []),
    );

    expect(read).toEqual([]);
  });

  test("[search.words.short] beside a word that is found, a short one is not completed", async () => {
    const { match, change } = await openIndex();
    await change([
      [1, { title: "Wielder", passages: passages("The wielder of an ichneumon.") }],
      [2, { passages: passages("Queries of the dataview plugin, and other pages.") }],
    ]);
    const found = (query: string) => match(query, { limit: 9 }).then(documents);

    expect(await found("wie benutze ich dataview")).toEqual([2]);
    expect(await found("wie ich")).toEqual([1]);
    expect(await found("wie* dataview")).toHaveLength(2);
    expect(await found("wield dataview")).toHaveLength(2);
  });

  test("[search.words.rare] a word is not rare beside another that is nearly as rare", async () => {
    const { match, change } = await openIndex();
    const notes = Array.from({ length: 11 }, () => "a casual note");
    await change(
      ["the causal chain", ...notes].map(
        (text, at) => [at + 1, { passages: passages(text) }] as const,
      ),
    );

    expect(documents(await match("causal", { limit: 99 }))).toEqual([1]);
  });
});
