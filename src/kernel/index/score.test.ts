import { expect, test } from "vitest";
import { scoresOf } from "./score.ts";

const hit = (weight: number, ...tokens: string[]) => ({ weight, tokens: new Set(tokens) });

test("[search.score.range] a full match has 1, half a match at most a half", () => {
  expect(scoresOf([hit(8, "a", "b"), hit(4, "a")], new Set(["a", "b"]))).toEqual([1, 0.4]);
});

test("scores keep the engine's order", () => {
  const scores = scoresOf([hit(8, "a"), hit(7, "a", "b")], new Set(["a", "b"]));

  expect(scores).toEqual([0.5, 0.5]);
});

test("a word that is everywhere, and so weighs nothing, still counts as found", () => {
  expect(scoresOf([hit(0, "a"), hit(0, "a")], new Set(["a"]))).toEqual([1, 1]);
});
