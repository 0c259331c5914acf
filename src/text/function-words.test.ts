import { expect, test } from "vitest";
import { isFunctionWord } from "./function-words.ts";
import { wordsOf } from "./tokens.ts";

test("what holds a question together is told from what it is about", () => {
  const told = (question: string) => wordsOf(question).filter((word) => !isFunctionWord(word));

  expect(told("How do I configure the retry limit of a client?")).toEqual([
    "configure",
    "retry",
    "limit",
    "client",
  ]);
  expect(told("What is it that they were doing there?")).toEqual([]);
});

test("words that name things are none, though they are small", () => {
  for (const word of ["up", "off", "all", "new", "null", "go", "r", "c", "64", "api", ""]) {
    expect(isFunctionWord(word)).toBe(false);
  }
});
