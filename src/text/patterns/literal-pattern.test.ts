import { expect, test } from "vitest";
import { literalPattern } from "./literal-pattern.ts";
import { InvalidPatternError } from "./regex-parser.ts";

function found(words: string, text: string, { isWhole = false, isCaseSensitive = false } = {}) {
  return literalPattern(words, { isWhole, isCaseSensitive })
    .places(text, 99)
    .map(({ start, end }) => text.slice(start, end));
}

const whole = (words: string, text: string) => found(words, text, { isWhole: true });

test("[qualitative.patterns.literal] substrings match case-insensitively", () => {
  expect(found("hop", "Hope hopes HOP")).toEqual(["Hop", "hop", "HOP"]);
  expect(found("hop", "Hope hop", { isCaseSensitive: true })).toEqual(["hop"]);
  expect(found("cat", "İİ cat")).toEqual(["cat"]);
  expect(found("İ", "İİ i")).toEqual(["İ", "İ"]);
  expect(found("λόγος", "ΛΌΓΟΣ")).toEqual(["ΛΌΓΟΣ"]);
  expect(found("a.c*", "abc a.c* AC")).toEqual(["a.c*"]);
  expect(found("😀", "a😀b😁")).toEqual(["😀"]);
});

test("[qualitative.patterns.literal] a whole word ends at a visible word boundary", () => {
  expect(whole("hope", "hope, hopes. (Hope) unhope hope_ hope2 hope-less")).toEqual([
    "hope",
    "Hope",
    "hope",
  ]);
  expect(whole("C++", "I like C++, C++11 and (c++).")).toEqual(["C++", "c++"]);
  expect(whole("cafe", "cafe cafe\u0301 café")).toEqual(["cafe"]);
  expect(whole("東京", "私は東京に住む。東京")).toEqual(["東京", "東京"]);
  expect(whole("год", "год, годы")).toEqual(["год"]);
  expect(whole("राम", "राम रामायण")).toEqual(["राम"]);
});

test("[qualitative.patterns.literal] accents and white space match in any encoding", () => {
  for (const form of ["NFC", "NFD"]) {
    for (const other of ["NFC", "NFD"]) {
      expect(
        whole("María José".normalize(form), `a María\r\n José.`.normalize(other)),
      ).toHaveLength(1);
    }
  }
  expect(found(" so  what ", "so\u00a0what")).toEqual(["so\u00a0what"]);
});

test("[qualitative.patterns.literal] an empty text, and one that is too long, are refused", () => {
  for (const words of ["", " \n", "x".repeat(600)])
    expect(() => found(words, "x")).toThrow(InvalidPatternError);
});
