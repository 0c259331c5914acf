import { expect, test } from "vitest";
import { blockIndexAt, spansByBlock, splitTextBlocks } from "./text-blocks.ts";

const joined = (text: string): string =>
  splitTextBlocks(text)
    .map(({ start, end }) => text.slice(start, end))
    .join("");

test("blocks contain the whole text and end at line ends", () => {
  const text = `${"A line of words.\n".repeat(1_000)}The end`;
  const blocks = splitTextBlocks(text);
  expect(joined(text)).toBe(text);
  expect(blocks.length).toBeGreaterThan(3);
  for (const { end } of blocks.slice(0, -1)) expect(text[end - 1]).toBe("\n");
});

test("a very long line is cut between words, one without spaces between characters", () => {
  const spaced = "word ".repeat(20_000);
  for (const { end } of splitTextBlocks(spaced)) expect(spaced[end - 1]).toBe(" ");
  const solid = `x${"😀".repeat(20_000)}`;
  const blocks = splitTextBlocks(solid);
  expect(joined(solid)).toBe(solid);
  for (const { start, end } of blocks) expect(solid.slice(start, end).isWellFormed()).toBe(true);
});

test("an empty text has no blocks", () => {
  expect(splitTextBlocks("")).toEqual([]);
});

test("an offset is found in its block, and a span over two blocks in both", () => {
  const blocks = [
    { start: 0, end: 10 },
    { start: 10, end: 30 },
    { start: 30, end: 35 },
  ];
  expect([0, 9, 10, 29, 30, 35].map((place) => blockIndexAt(blocks, place))).toEqual([
    0, 0, 1, 1, 2, 2,
  ]);
  const over = spansByBlock(blocks, [
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
