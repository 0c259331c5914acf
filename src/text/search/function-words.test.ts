import { expect, test } from "vitest";
import { isFunctionWord } from "./function-words.ts";
import { splitWords } from "./tokens.ts";

test("function words of a question are separated from its subject", () => {
  const contentWords = (question: string) =>
    splitWords(question).filter((word) => !isFunctionWord(word));

  expect(contentWords("How do I configure the retry limit of a client?")).toEqual([
    "configure",
    "retry",
    "limit",
    "client",
  ]);
  expect(contentWords("What is it that they were doing there?")).toEqual([]);
});

test("short words that name things are not function words", () => {
  for (const word of ["up", "off", "all", "new", "null", "go", "r", "c", "64", "api", ""]) {
    expect(isFunctionWord(word)).toBe(false);
  }
});
