import { expect, test } from "vitest";
import { groupIntoLines, groupIntoParagraphs, type TextFragment } from "./pdf-lines.ts";

/** Characters whose width is half their height. */
const at = (str: string, x: number, y: number, size = 10, dir = "ltr"): TextFragment => ({
  str,
  transform: [size, 0, 0, size, x, y],
  width: (str.length * size) / 2,
  dir,
});

const check = (fragments: TextFragment[], expected: string[]) =>
  expect(groupIntoParagraphs(groupIntoLines(fragments))).toEqual(expected);

test("fragments on one line are joined, with a space at gaps", () => {
  check([at("Light", 0, 100), at("house", 25, 100), at("keeper", 53, 100)], ["Lighthouse keeper"]);
  check([at("E=mc", 0, 100), at("2", 20, 104, 6)], ["E=mc2"]);
  check([at("right", 60, 100), at("left", 0, 100)], ["left right"]);
});

test("columns stay separate, in drawing order", () => {
  check(
    [at("one", 0, 100), at("two", 0, 88), at("three", 300, 100), at("four", 300, 88)],
    ["one", "two", "", "three", "four"],
  );
});

test("larger gaps, other fonts and text that continues elsewhere start paragraphs", () => {
  check(
    [at("Title", 0, 130, 20), at("a", 0, 100), at("b", 0, 88), at("c", 0, 76), at("d", 0, 50)],
    ["Title", "", "a", "b", "c", "", "d"],
  );
  check([at("a", 0, 100), at("b", 0, 76), at("c", 0, 52), at("d", 0, 28)], ["a", "b", "c", "d"]);
});

test("a hyphenated word is joined", () => {
  check([at("infor-", 0, 100), at("mation and", 0, 88)], ["information", "and"]);
  check([at("infor\u00ad", 0, 100), at("mation", 0, 88), at("end", 0, 76)], ["information", "end"]);
  check([at("pages 3-", 0, 100), at("4", 0, 88)], ["pages 3-", "4"]);
  check([at("Franco-", 0, 100), at("German", 0, 88)], ["Franco-", "German"]);
});

test("right-to-left scripts are read from the right, in any drawing order", () => {
  const first = at("שלום", 60, 100, 10, "rtl");
  const second = at("עולם", 30, 100, 10, "rtl");
  check([first, second], ["שלום עולם"]);
  check([second, first], ["שלום עולם"]);
});

test("Han and kana are joined without spaces, other scripts keep theirs", () => {
  check([at("灯", 0, 100), at("台 の", 20, 100)], ["灯台の"]);
  check([at("등대", 0, 100), at("역사", 20, 100)], ["등대 역사"]);
});

test("rotated text is read", () => {
  const up = (str: string, x: number, y: number): TextFragment => ({
    str,
    transform: [0, 10, -10, 0, x, y],
    width: 5 * str.length,
    dir: "ltr",
  });
  check([at("flat", 0, 200), up("stan", 10, 0), up("ding", 10, 20)], ["flat", "", "standing"]);
});

test("a page without text has no lines", () => {
  check([], []);
  check([at(" ", 0, 0)], []);
});
