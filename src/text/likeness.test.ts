import { expect, test } from "vitest";
import { likeness, likenessAmong } from "./likeness.ts";

test("texts that share pairs of letters are alike, and the same ones wholly", () => {
  expect(likeness("hope", "hope")).toBe(1);
  expect(likeness("a", "a")).toBe(1);
  expect(likeness("hope", "hoped")).toBeCloseTo(6 / 7);
  expect(likeness("hope", "rain")).toBe(0);
  expect(likeness("a", "")).toBe(0);
});

test("among many texts each two are as alike as they are by themselves", () => {
  const texts = ["hope", "hoped", "hope", "the the the", "the rain", "a", "a", "", "ab"];
  const alikeTo = likenessAmong(texts);
  for (const [place, one] of texts.entries()) {
    const after = texts.slice(place + 1).map((other) => likeness(one, other));
    expect([...alikeTo(place)].slice(place + 1)).toEqual(after);
  }
});
