import { expect, test } from "vitest";
import { isExpensiveSearch } from "./search-cost.ts";

const many = (count: number, word: (number: number) => string): string =>
  Array.from({ length: count }, (_, number) => word(number)).join(" ");

test("[search.cost.guess] common searches are estimated as cheap, and those that scan much as expensive", () => {
  const cheap = ["lamp", "how is the lamp lit at night", "tower -sea", "begin*"];
  for (const query of cheap) expect(isExpensiveSearch({ query }, 10, 120_000), query).toBe(false);
  expect(isExpensiveSearch({ query: '"lamp oil"' }, 10, 60_000)).toBe(false);
  const dear = [
    '"lamp oil"',
    many(200, (number) => `w${number}`),
    many(10, (number) => `w${number}*`),
    "灯".repeat(400),
  ];
  for (const query of dear) expect(isExpensiveSearch({ query }, 10, 250_000), query).toBe(true);
  expect(isExpensiveSearch({ query: "lamp", path: "**/a*.md" }, 10, 250_000)).toBe(true);
  expect(isExpensiveSearch({ query: "lamp" }, 1_000, 250_000)).toBe(true);
  expect(isExpensiveSearch({ query: "lamp" }, 1_000, 50)).toBe(false);
});
