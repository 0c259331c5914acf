import { expect, test } from "vitest";
import { nearestPlace, placesOf } from "./quotes.ts";

const found = (text: string, quote: string): string[] =>
  placesOf(text, quote).map(({ start, end }) => text.slice(start, end));

test("[qualitative.quotes.found] every place of the words is found, letter by letter", () => {
  expect(placesOf("so so so", "so so")).toEqual([
    { start: 0, end: 5 },
    { start: 3, end: 8 },
  ]);
  expect(found("I like C++ (really).", "C++ (really)")).toEqual(["C++ (really)"]);
  expect(placesOf("İİ cat", "cat")).toEqual([{ start: 3, end: 6 }]);
});

test("[qualitative.quotes.found] other white space between the words does not hide them", () => {
  expect(found("We were\r\n  tired, then.", "were tired,")).toEqual(["were\r\n  tired,"]);
});

test("[qualitative.quotes.found] the words as they stand go before words with other white space", () => {
  expect(found("a  b, a b", "a b")).toEqual(["a b"]);
});

test("[qualitative.quotes.found] no words, and other words, are nowhere", () => {
  expect(found("We were tired.", "  ")).toEqual([]);
  expect(found("We were tired.", "were tried")).toEqual([]);
});

test("[qualitative.quotes.nearest] of several places the one nearest to a position is taken", () => {
  const text = "so it is, so it was, so  it goes";
  const check = (quote: string, position: number, start: number | undefined) =>
    expect(nearestPlace(text, quote, position)?.start).toBe(start);

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
  expect(nearestPlace("a ".repeat(50_000), "a", 60_001)).toEqual({ start: 60_000, end: 60_001 });
});
