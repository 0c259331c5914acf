import { expect, test } from "vitest";
import { bigramSimilarity, pairwiseBigramSimilarity } from "./bigram-similarity.ts";

test("texts with shared bigrams are similar, and equal texts fully", () => {
  expect(bigramSimilarity("hope", "hope")).toBe(1);
  expect(bigramSimilarity("a", "a")).toBe(1);
  expect(bigramSimilarity("hope", "hoped")).toBeCloseTo(6 / 7);
  expect(bigramSimilarity("hope", "rain")).toBe(0);
  expect(bigramSimilarity("a", "")).toBe(0);
});

test("similarities among many texts equal those of each pair", () => {
  const texts = ["hope", "hoped", "hope", "the the the", "the rain", "a", "a", "", "ab"];
  const alikeTo = pairwiseBigramSimilarity(texts);
  for (const [place, one] of texts.entries()) {
    const after = texts.slice(place + 1).map((other) => bigramSimilarity(one, other));
    expect([...alikeTo(place)].slice(place + 1)).toEqual(after);
  }
});
