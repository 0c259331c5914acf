import { expect, test } from "vitest";
import { findNearestQuote, findQuote } from "./quote-search.ts";

const found = (text: string, quote: string): string[] =>
  findQuote(text, quote).map(({ start, end }) => text.slice(start, end));

test("[qualitative.quotes.found] every occurrence is found, character by character", () => {
  expect(findQuote("so so so", "so so")).toEqual([
    { start: 0, end: 5 },
    { start: 3, end: 8 },
  ]);
  expect(found("I like C++ (really).", "C++ (really)")).toEqual(["C++ (really)"]);
  expect(findQuote("İİ cat", "cat")).toEqual([{ start: 3, end: 6 }]);
});

test("[qualitative.quotes.found] different white space between words still matches", () => {
  expect(found("We were\r\n  tired, then.", "were tired,")).toEqual(["were\r\n  tired,"]);
});

test("[qualitative.quotes.found] exact matches take precedence over matches with different white space", () => {
  expect(found("a  b, a b", "a b")).toEqual(["a b"]);
});

test("[qualitative.quotes.found] empty and missing quotes are not found", () => {
  expect(found("We were tired.", "  ")).toEqual([]);
  expect(found("We were tired.", "were tried")).toEqual([]);
});

test("[qualitative.quotes.nearest] of several matches the one closest to a position is used", () => {
  const text = "so it is, so it was, so  it goes";
  const check = (quote: string, position: number, start: number | undefined) =>
    expect(findNearestQuote(text, quote, position)?.start).toBe(start);

  check("so it", 0, 0);
  check("so it", 7, 10);
  check("so it", 10, 10);
  check("so it", 5, 0);
  check("so it", 999, 10);
  check("so it", -5, 0);
  check("so it goes", 0, 21);
  check("it  is,", 30, 3);
  check("never", 3, undefined);
  check(" ", 3, undefined);
  expect(findNearestQuote("a ".repeat(50_000), "a", 60_001)).toEqual({
    start: 60_000,
    end: 60_001,
  });
});
