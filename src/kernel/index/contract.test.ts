import { describe, expect, test } from "vitest";
import { readQuery } from "../../text/query.ts";
import { openDatabase } from "../database.ts";
import { documentTables } from "../documents.ts";
import { derived, migrate } from "../tables.ts";
import type { Index, MatchOptions } from "./contract.ts";
import { indexTables, openIndex } from "./sqlite.ts";

/** Documents by name; the number of a document is its place in the list. */
type Texts = Record<string, string>;

/** Every engine is filled and asked in the same way, so one suite is enough for all. */
const engines: [name: string, fill: (texts: Texts) => Index][] = [
  [
    "SQLite",
    (texts) => {
      const db = openDatabase(":memory:");
      migrate(db, [
        { owner: "documents", tables: documentTables },
        { owner: "search", tables: derived(1, indexTables("search")) },
      ]);
      const index = openIndex(db, "search");
      for (const [number, [name, text]] of Object.entries(texts).entries()) {
        const [root = "", path = ""] = name.split("/");
        db.run("INSERT INTO documents VALUES (?, ?, ?, '', 0, 0, 0)", number + 1, root, path);
        put(index, number + 1, path, text);
      }
      return index;
    },
  ],
];

describe.each(engines)("the index in %s", (_name, fill) => {
  const found = (texts: Texts, written: string, options: Partial<MatchOptions> = {}) =>
    fill(texts)
      .match(readQuery(written), { limit: 10, ...options })
      .map(({ document }) => Object.keys(texts)[document - 1]);

  test("a question finds documents that hold only some of its words, the fuller ones first", () => {
    const texts = { "a/1": "the lamp", "a/2": "the lamp of the tower", "a/3": "nothing here" };

    expect(found(texts, "how is the lamp in the tower lit?")).toEqual(["a/2", "a/1"]);
  });

  test("a phrase must be there, word by word", () => {
    const texts = { "a/1": "green leaf tea", "a/2": "leaf green tea" };

    expect(found(texts, 'tea "green leaf"')).toEqual(["a/1"]);
  });

  test("what is excluded is not found", () => {
    expect(found({ "a/1": "tea with milk", "a/2": "tea" }, "tea -milk")).toEqual(["a/2"]);
  });

  test("exclusions alone find nothing", () => {
    expect(found({ "a/1": "tea" }, "-milk")).toEqual([]);
  });

  test("a collection's documents are found however many others match better", () => {
    const others = Object.fromEntries(
      Array.from({ length: 300 }, (_, number) => [`big/${number}`, "css css css"]),
    );
    const texts = {
      ...others,
      "small/1": "a long text that says css once and goes on for a while",
    };

    expect(found(texts, "css", { roots: ["small"] })).toEqual(["small/1"]);
  });

  test("words of a query language are only words", () => {
    const texts = { "a/1": "near or and not" };

    expect(found(texts, 'AND OR NOT NEAR( "" * ^ : { } + - \\ \' ; --')).toEqual(["a/1"]);
  });

  test("two letters of a script without spaces are found", () => {
    const texts = { "a/1": "この灯台は古い", "a/2": "海図は湿気に弱い" };

    expect(found(texts, "灯台")).toEqual(["a/1"]);
  });

  test("a document is found once, by its best passage", () => {
    const index = fill({ "a/1": "lamp" });
    const passages = [
      { headings: [], line: 1, endLine: 1, text: "a lamp among many other words of this passage" },
      { headings: ["Lamp"], line: 9, endLine: 9, text: "lamp lamp" },
    ];
    index.put(1, { title: "t", path: "p", passages });

    const matches = index.match(readQuery("lamp"), { limit: 10 });

    expect(matches.map(({ passage }) => passage.line)).toEqual([9]);
  });

  test("what was replaced or removed is gone", () => {
    const index = fill({ "a/1": "lamp", "a/2": "lamp" });
    put(index, 1, "1", "tower");
    index.remove(2);

    expect(index.match(readQuery("lamp"), { limit: 10 })).toEqual([]);
    expect(index.count()).toBe(1);
  });

  test("scores lie between 0 and 1, best first", () => {
    const index = fill({ "a/1": "lamp", "a/2": "lamp lamp tower", "a/3": "tower" });

    const scores = index.match(readQuery("lamp tower"), { limit: 10 }).map(({ score }) => score);

    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    for (const score of scores) expect(score > 0 && score <= 1).toBe(true);
  });
});

function put(index: Index, document: number, path: string, text: string): void {
  const passages = [{ headings: [], line: 1, endLine: 1, text }];
  index.put(document, { title: "", path, passages });
}
