import { expect, test } from "vitest";
import { meanMeasures, measureRanking } from "./ranking-metrics.ts";

const relevant = new Map([
  ["a", 2],
  ["b", 1],
  ["c", 1],
]);

test("the ideal order scores 1 in every metric", () => {
  expect(measureRanking(["a", "b", "c", "x"], relevant)).toEqual({
    ndcg10: 1,
    recall100: 1,
    hit1: 1,
  });
});

test("gain is discounted by the logarithm of the rank", () => {
  // Ranks 2 and 4: 2/log2(3) + 1/log2(5), of at most 2/log2(2) + 1/log2(3) + 1/log2(4).
  const { ndcg10, recall100, hit1 } = measureRanking(["x", "a", "y", "c"], relevant);

  expect(ndcg10).toBeCloseTo((2 / 1.58496 + 1 / 2.32193) / (2 + 1 / 1.58496 + 1 / 2), 4);
  expect(ndcg10).toBeCloseTo(0.5406, 4);
  expect(recall100).toBeCloseTo(2 / 3, 10);
  expect(hit1).toBe(0);
});

test("an empty result scores 0", () => {
  expect(measureRanking([], relevant)).toEqual({ ndcg10: 0, recall100: 0, hit1: 0 });
  expect(measureRanking(["x", "y"], relevant)).toEqual({ ndcg10: 0, recall100: 0, hit1: 0 });
});

test("gain is cut off at rank 10, recall at rank 100", () => {
  const others = (count: number) => Array.from({ length: count }, (_, place) => `x${place}`);
  const one = new Map([["a", 1]]);

  expect(measureRanking([...others(9), "a"], one).ndcg10).toBeCloseTo(1 / Math.log2(11), 10);
  expect(measureRanking([...others(10), "a"], one)).toEqual({ ndcg10: 0, recall100: 1, hit1: 0 });
  expect(measureRanking([...others(99), "a"], one).recall100).toBe(1);
  expect(measureRanking([...others(100), "a"], one).recall100).toBe(0);
});

test("the ideal order of more than ten uses ten of them", () => {
  const many = new Map(Array.from({ length: 30 }, (_, place) => [`a${place}`, 1]));

  expect(measureRanking([...many.keys()].slice(0, 10), many)).toEqual({
    ndcg10: 1,
    recall100: 1 / 3,
    hit1: 1,
  });
});

test("the mean is taken over the questions", () => {
  const all = [
    { ndcg10: 1, recall100: 1, hit1: 1 },
    { ndcg10: 0.5, recall100: 0, hit1: 0 },
  ];

  expect(meanMeasures(all)).toEqual({ ndcg10: 0.75, recall100: 0.5, hit1: 0.5 });
  expect(meanMeasures([])).toEqual({ ndcg10: 0, recall100: 0, hit1: 0 });
});
