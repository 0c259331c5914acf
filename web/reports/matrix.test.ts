import { expect, test } from "vitest";
import { caseMatrixOf, cooccurrenceOf, strengthOf } from "./matrix.ts";

const pair = (a: [number, string], b: [number, string], count: number) => ({
  code_a_id: a[0],
  code_a_name: a[1],
  code_b_id: b[0],
  code_b_name: b[1],
  count,
});

test("pairs make a symmetric matrix with an empty diagonal", () => {
  const pairs = [pair([1, "Hope"], [2, "Doubt"], 3), pair([1, "Hope"], [7, "Fear"], 1)];
  const matrix = cooccurrenceOf(pairs);
  expect(matrix).toEqual({
    rows: ["Doubt", "Fear", "Hope"],
    columns: ["Doubt", "Fear", "Hope"],
    cells: [
      [null, 0, 3],
      [0, null, 1],
      [3, 1, null],
    ],
  });
  expect([3, 0, null].map((number) => strengthOf(matrix, number))).toEqual([40, 0, 0]);
});

test("the case columns become a matrix, whatever the names of the cases", () => {
  const row = { code_id: 1, code_name: "Hope", total: 3, "case: Ana": 1, "case: case: B": 2 };
  expect(caseMatrixOf([row])).toEqual({
    rows: ["Hope"],
    columns: ["Ana", "case: B"],
    cells: [[1, 2]],
  });
});

test("without rows there is an empty matrix", () => {
  expect([cooccurrenceOf([]), caseMatrixOf([])]).toEqual([
    { rows: [], columns: [], cells: [] },
    { rows: [], columns: [], cells: [] },
  ]);
});
