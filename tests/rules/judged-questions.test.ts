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

test("[search.questions.judged] no question, id or page is there twice, and an id tells its category", () => {
  const foreign = sets.flatMap(({ category, questions }) =>
    questions.filter(({ id }) => id.replace(/-\d+$/, "") !== category).map(({ id }) => id),
  );

  expect(foreign).toEqual([]);
  expect(repeated(all.map(({ id }) => id))).toEqual([]);
  expect(repeated(all.map(({ query }) => query))).toEqual([]);
  expect(all.filter(({ relevant }) => repeated(relevant).length > 0)).toEqual([]);
});

test("[search.questions.judged] every page that answers is there", ({ skip }) => {
  const pages = resolve("..", "shared", "data", "markdown");
  skip(!existsSync(pages), "the pages do not lie beside this repository, in ../shared");
  const missing = all.flatMap(({ id, relevant }) =>
    relevant.filter((page) => !existsSync(join(pages, page))).map((page) => `${id}: ${page}`),
  );

  expect(missing).toEqual([]);
});

const repeated = (values: readonly string[]): string[] =>
  values.filter((value, index) => values.indexOf(value) !== index);
