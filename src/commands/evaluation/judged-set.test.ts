import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { documentIdOf, readJudgedSets, writeSetDocuments } from "./judged-set.ts";

function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), "lectern-set-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const lines = (...rows: object[]): string =>
  `${rows.map((row) => JSON.stringify(row)).join("\n")}\n`;

const corpus = lines({ id: "a", title: "Lamp", text: "oil" }, { id: "b/c", text: "灯台" });
const queries = lines({ id: "q1", text: "lamp" }, { id: "q2", text: "tower" });
const qrels = "query\tdocument\trelevance\nq1\ta\t2\r\nq1\tb/c\t1\nq2\ta\t0\n\n";

test("a set consists of documents, questions and relevance judgments", () => {
  const folder = folderWith({
    "corpus.jsonl": corpus,
    "queries.jsonl": queries,
    "qrels.tsv": qrels,
  });
  const [set, ...others] = readJudgedSets(folder, undefined);

  expect(others).toEqual([]);
  expect(set?.name).toBe(basename(folder));
  expect(set?.documents).toEqual([
    { id: "a", title: "Lamp", text: "oil" },
    { id: "b/c", text: "灯台" },
  ]);
  expect(set?.queries.map(({ id }) => id)).toEqual(["q1", "q2"]);
  expect(set?.judgements).toEqual(
    new Map([
      [
        "q1",
        new Map([
          ["a", 2],
          ["b/c", 1],
        ]),
      ],
    ]),
  );
});

test("each language is a separate set with the same judgments", () => {
  const folder = folderWith({
    "corpus.de.jsonl": corpus,
    "queries.de.jsonl": queries,
    "corpus.zh-hant.jsonl": corpus,
    "queries.zh-hant.jsonl": queries,
    "qrels.tsv": qrels,
    "README.md": "",
  });
  const names = (language?: string) => readJudgedSets(folder, language).map(({ name }) => name);

  expect(names()).toEqual([`${basename(folder)} de`, `${basename(folder)} zh-hant`]);
  expect(names("de")).toEqual([`${basename(folder)} de`]);
  expect(() => names("fr")).toThrow("There is no set in that language in that folder.");
  expect(() => names("d")).toThrow("There is no set in that language in that folder.");
});

test("a folder without a set or without judgments is reported", () => {
  const none = "There is no judged set in that folder.";
  expect(() => readJudgedSets(folderWith({ "a.md": "" }), undefined)).toThrow(none);
  expect(() => readJudgedSets(join(tmpdir(), "lectern-nowhere"), undefined)).toThrow(none);
  expect(() =>
    readJudgedSets(folderWith({ "queries.jsonl": queries, "qrels.tsv": qrels }), undefined),
  ).toThrow(none);
});

test("every id becomes its own file name, and can be restored from it", () => {
  const ids = ["a", "b/c", "../up", ".hidden", "..", "灯台", "a b", "100%", "x.md", "A:3", "q?#"];
  const folder = folderWith({});
  const documents = ids.map((id) => ({ id, title: "Lamp", text: `text of ${id}` }));
  writeSetDocuments({ name: "", documents, queries: [], judgements: new Map() }, folder);
  const files = readdirSync(folder);

  expect(files.map((file) => documentIdOf(`set/${file}`)).toSorted()).toEqual(ids.toSorted());
  for (const file of files) {
    const text = readFileSync(join(folder, file), "utf8");
    expect(text).toBe(`# Lamp\n\ntext of ${documentIdOf(file)}\n`);
  }
});
