import { describe, expect, test } from "vitest";
import { assignLanes, splitOverlaps } from "./overlap-runs.ts";

const shown = (length: number, stretches: { name: string; start: number; end: number }[]) =>
  splitOverlaps(length, stretches).map(({ start, end, over }) => [
    start,
    end,
    over.map(({ name }) => name).join(""),
  ]);

describe("cutting a text into runs", () => {
  test("overlapping spans are cut at every start and end", () => {
    const stretches = [
      { name: "b", start: 5, end: 11 },
      { name: "a", start: 3, end: 9 },
    ];
    expect(shown(12, stretches)).toEqual([
      [0, 3, ""],
      [3, 5, "a"],
      [5, 9, "ab"],
      [9, 11, "b"],
      [11, 12, ""],
    ]);
  });

  test("spans are clipped to the text, and those outside are omitted", () => {
    const stretches = [
      { name: "a", start: -4, end: 2 },
      { name: "b", start: 8, end: 20 },
      { name: "c", start: 10, end: 12 },
      { name: "d", start: 4, end: 4 },
    ];
    expect(shown(10, stretches)).toEqual([
      [0, 2, "a"],
      [2, 8, ""],
      [8, 10, "b"],
    ]);
  });

  test("an empty text has no runs", () => {
    expect(splitOverlaps(0, [])).toEqual([]);
  });
});

test("overlapping spans have different lanes, and a free lane is reused", () => {
  const stretches = [
    { start: 4, end: 9 },
    { start: 2, end: 4 },
    { start: 0, end: 6 },
  ];
  const lanes = assignLanes(stretches);
  expect(stretches.map((one) => lanes.get(one))).toEqual([1, 1, 0]);
});
