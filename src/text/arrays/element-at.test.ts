import { expect, test } from "vitest";
import { elementAt } from "./element-at.ts";

test("an element is returned, and an index outside the array throws", () => {
  expect(elementAt(["a", "b"], 1)).toBe("b");
  expect(elementAt(new Int32Array([7]), 0)).toBe(7);
  for (const index of [-1, 2, 0.5, Number.NaN]) {
    expect(() => elementAt(["a", "b"], index), String(index)).toThrow(RangeError);
  }
});
