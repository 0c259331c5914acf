import { expect, test } from "vitest";
import { csvLine, guarded, unguarded } from "./csv-cells.ts";
import { csvRows } from "./csv-rows.ts";

test("[qualitative.exchange.tables] cells in quotes keep line ends, quotes and marks", () => {
  expect(csvRows('a,b\r\n"one, ""two""\n","x"\n')).toEqual([
    ["a", "b"],
    ['one, "two"\n', "x"],
  ]);
});

test("[qualitative.exchange.tables] the mark of the first line parts the cells", () => {
  expect(csvRows("\uFEFFa;b\n1,5;2\n\n")).toEqual([
    ["a", "b"],
    ["1,5", "2"],
  ]);
  expect(csvRows("a\tb\r1\t2")).toEqual([
    ["a", "b"],
    ["1", "2"],
  ]);
});

test("[qualitative.exchange.tables] whatever is written is read again", () => {
  const rows = [
    ["name", "memo"],
    ['a "b"', "line\r\nline,;\t"],
    ["=1+1", " spaced "],
    ["'quoted", "-5"],
  ];
  const text = rows.map((row) => csvLine(row.map(guarded), "\r\n")).join("");

  expect(text).toContain("'=1+1");
  expect(csvRows(text).map((row) => row.map(unguarded))).toEqual(rows);
});

test("[qualitative.exchange.tables] broken quotes end in cells, not in an error", () => {
  expect(csvRows('a,b\n"open,x\ny')).toEqual([["a", "b"], ["open,x\ny"]]);
  expect(csvRows('a,b\n"x"tail,y')).toEqual([
    ["a", "b"],
    ["xtail", "y"],
  ]);
  expect(csvRows("")).toEqual([]);
});
