import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { openBothIndexes } from "../../../../tests/fixtures/search/every-index.ts";
import { passages } from "../../../../tests/fixtures/search/small-index.ts";
import { usesServer } from "../../../../tests/postgres/test-database.ts";
import { splitSections } from "../../../text/markdown/headings.ts";
import { splitLines } from "../../../text/strings/lines.ts";

interface Page {
  title: string;
  text: string;
}

const folder = resolve("..", "shared", "data", "docs-qa");
const isShared = existsSync(folder);

function readLines<Row>(name: string): Row[] {
  const text = readFileSync(join(folder, name), "utf8");
  return splitLines(text).flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Row]));
}

/** Without the shared data, pages of our own. */
function samplePages(): Page[] {
  if (isShared) return readLines<Page>("corpus.jsonl");
  return ["README.md", "CONTRIBUTING.md", "docs/ARCHITECTURE.md", "docs/GLOSSARY.md"].map(
    (path) => ({
      title: path,
      text: readFileSync(path, "utf8"),
    }),
  );
}

const sampleQuestions = (): string[] =>
  isShared
    ? readLines<Page>("queries.jsonl").map(({ text }) => text)
    : ["how do I add an operation?", "what is a lease", "search over REST", "rows of documents"];

/** A question in several ways: as it is, as a phrase, with an exclusion, a prefix and a typo. */
function variantsOf(question: string): string[] {
  const words = question.split(/\s+/);
  const [first = "", second = ""] = words.slice(2);
  const longest = words.toSorted((a, b) => b.length - a.length)[0] ?? "";
  return [
    question,
    `"${first} ${second}" ${longest}`,
    `${longest} -${first}`,
    `${longest.slice(0, 4)}*`,
    `${longest.slice(0, 3)}${longest.slice(4)} ${second}`,
  ];
}

test("[scale.index.same] the best ten of judged questions are the same in both stores", async () => {
  const both = await openBothIndexes();
  const pages = samplePages().slice(0, usesServer ? undefined : 40);
  const entries = pages.map(({ title, text }, number) => {
    const sections = splitSections(splitLines(text));
    const entry = { title, passages: sections.length > 0 ? sections : passages(text) };
    return [number + 1, entry] as const;
  });
  for (const index of [both.sqlite, both.postgres]) {
    for (let from = 0; from < entries.length; from += 20) {
      await index.change(entries.slice(from, from + 20));
    }
    for (const [number, { title }] of entries) await index.setTitle(number, title);
  }
  const questions = sampleQuestions().slice(0, usesServer ? undefined : 10);
  for (const query of questions.flatMap(variantsOf)) {
    expect(await both.postgres.match(query), query).toEqual(await both.sqlite.match(query));
  }
});
