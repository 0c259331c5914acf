import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { categories, readQuestions } from "../fixtures/developer-questions/questions.ts";

const sets = categories.map((category) => ({ category, questions: readQuestions(category) }));
const all = sets.flatMap(({ questions }) => questions);

test("[search.questions.judged] the set has at least 120 questions, 16 in each category", () => {
  const small = sets.filter(({ questions }) => questions.length < 16);

  expect(all.length).toBeGreaterThanOrEqual(120);
  expect(small.map(({ category }) => category)).toEqual([]);
});

test("[search.questions.judged] questions, ids and the pages of an answer are unique, and each id contains its category", () => {
  const mismatched = sets.flatMap(({ category, questions }) =>
    questions.filter(({ id }) => id.replace(/-\d+$/, "") !== category).map(({ id }) => id),
  );

  expect(mismatched).toEqual([]);
  expect(duplicates(all.map(({ id }) => id))).toEqual([]);
  expect(duplicates(all.map(({ query }) => query))).toEqual([]);
  expect(all.filter(({ relevant }) => duplicates(relevant).length > 0)).toEqual([]);
});

test("[search.questions.judged] every page that answers a question exists", ({ skip }) => {
  const pages = resolve("..", "shared", "data", "markdown");
  skip(!existsSync(pages), "the pages are not available in ../shared");
  const missing = all.flatMap(({ id, relevant }) =>
    relevant.filter((page) => !existsSync(join(pages, page))).map((page) => `${id}: ${page}`),
  );

  expect(missing).toEqual([]);
});

const duplicates = (values: readonly string[]): string[] =>
  values.filter((value, index) => values.indexOf(value) !== index);
