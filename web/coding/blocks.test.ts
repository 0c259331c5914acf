import { expect, test } from "vitest";
import { blockAt, blocksOf, spreadOver } from "./blocks.ts";

const joined = (text: string): string =>
  blocksOf(text)
    .map(({ start, end }) => text.slice(start, end))
    .join("");

test("blocks hold the whole text and end with a line", () => {
  const text = `${"A line of words.\n".repeat(1_000)}The end`;
  const blocks = blocksOf(text);
  expect(joined(text)).toBe(text);
  expect(blocks.length).toBeGreaterThan(3);
  for (const { end } of blocks.slice(0, -1)) expect(text[end - 1]).toBe("\n");
});

test("a line without end is cut between words, one without spaces between characters", () => {
  const spaced = "word ".repeat(20_000);
  for (const { end } of blocksOf(spaced)) expect(spaced[end - 1]).toBe(" ");
  const solid = `x${"😀".repeat(20_000)}`;
  const blocks = blocksOf(solid);
  expect(joined(solid)).toBe(solid);
  for (const { start, end } of blocks) expect(solid.slice(start, end).isWellFormed()).toBe(true);
});

test("no text, no block", () => {
  expect(blocksOf("")).toEqual([]);
});

test("a place is found in its block, and what lies over two blocks in both", () => {
  const blocks = [
    { start: 0, end: 10 },
    { start: 10, end: 30 },
    { start: 30, end: 35 },
  ];
  expect([0, 9, 10, 29, 30, 35].map((place) => blockAt(blocks, place))).toEqual([0, 0, 1, 1, 2, 2]);
  const over = spreadOver(blocks, [
    { start: 8, end: 11 },
    { start: 0, end: 10 },
    { start: 5, end: 5 },
  ]);
  expect(over).toEqual([
    [
      { start: 8, end: 11 },
      { start: 0, end: 10 },
    ],
    [{ start: 8, end: 11 }],
    [],
  ]);
});
