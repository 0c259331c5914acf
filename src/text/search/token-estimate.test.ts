import { expect, test } from "vitest";
import { estimateTokens } from "./token-estimate.ts";

test("an estimate is never below the real token count for prose, code and other scripts", () => {
  // The numbers are from the bundled model's vocabulary.
  for (const [text, tokens] of [
    ["", 0],
    ["A man is eating food.", 6],
    ["unbelievable circumstances", 2],
    ["const answer = await fetch(url);", 9],
    ["日本語の文章", 6],
  ] as const) {
    expect(estimateTokens(text), text).toBeGreaterThanOrEqual(tokens);
  }
});

test("parts separated by a space add up to the whole", () => {
  const parts = ["The lamp's wick,", "42 naïve cafés", "灯台の灯り", "a(b)[c]"];

  expect(estimateTokens(parts.join(" "))).toBe(
    parts.reduce((sum, part) => sum + estimateTokens(part), 0),
  );
});

test("an estimate is at most three times the letters of plain words", () => {
  expect(estimateTokens("word ".repeat(100))).toBeLessThanOrEqual(200);
});
