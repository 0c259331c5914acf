import { expect, test } from "vitest";
import { mean, measure } from "./measures.ts";

const relevant = new Map([
  ["a", 2],
  ["b", 1],
  ["c", 1],
]);

test("the best order has 1 in everything", () => {
  expect(measure(["a", "b", "c", "x"], relevant)).toEqual({ ndcg10: 1, recall100: 1, hit1: 1 });
});

test("a gain counts less the later it comes, by the logarithm of its place", () => {
  // At places 2 and 4: 2/log2(3) + 1/log2(5), of at most 2/log2(2) + 1/log2(3) + 1/log2(4).
  const { ndcg10, recall100, hit1 } = measure(["x", "a", "y", "c"], relevant);

  expect(ndcg10).toBeCloseTo((2 / 1.58496 + 1 / 2.32193) / (2 + 1 / 1.58496 + 1 / 2), 4);
  expect(ndcg10).toBeCloseTo(0.5406, 4);
  expect(recall100).toBeCloseTo(2 / 3, 10);
  expect(hit1).toBe(0);
});

test("nothing found is nothing", () => {
  expect(measure([], relevant)).toEqual({ ndcg10: 0, recall100: 0, hit1: 0 });
  expect(measure(["x", "y"], relevant)).toEqual({ ndcg10: 0, recall100: 0, hit1: 0 });
});

test("gain is counted down to the tenth place, recall down to the hundredth", () => {
  const others = (count: number) => Array.from({ length: count }, (_, place) => `x${place}`);
  const one = new Map([["a", 1]]);

  expect(measure([...others(9), "a"], one).ndcg10).toBeCloseTo(1 / Math.log2(11), 10);
  expect(measure([...others(10), "a"], one)).toEqual({ ndcg10: 0, recall100: 1, hit1: 0 });
  expect(measure([...others(99), "a"], one).recall100).toBe(1);
  expect(measure([...others(100), "a"], one).recall100).toBe(0);
});

test("the best order of more than ten has ten of them", () => {
  const many = new Map(Array.from({ length: 30 }, (_, place) => [`a${place}`, 1]));

  expect(measure([...many.keys()].slice(0, 10), many)).toEqual({
    ndcg10: 1,
    recall100: 1 / 3,
    hit1: 1,
  });
});

test("the mean is over the questions", () => {
  const all = [
    { ndcg10: 1, recall100: 1, hit1: 1 },
    { ndcg10: 0.5, recall100: 0, hit1: 0 },
  ];

  expect(mean(all)).toEqual({ ndcg10: 0.75, recall100: 0.5, hit1: 0.5 });
  expect(mean([])).toEqual({ ndcg10: 0, recall100: 0, hit1: 0 });
});
