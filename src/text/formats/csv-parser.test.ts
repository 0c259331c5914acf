import { expect, test } from "vitest";
import { parseCsv } from "./csv-parser.ts";
import { escapeFormula, formatCsvLine, unescapeFormula } from "./csv-writer.ts";

test("[qualitative.exchange.tables] quoted cells keep line breaks, quotes and delimiters", () => {
  expect(parseCsv('a,b\r\n"one, ""two""\n","x"\n')).toEqual([
    ["a", "b"],
    ['one, "two"\n', "x"],
  ]);
});

test("[qualitative.exchange.tables] the delimiter is detected from the first line", () => {
  expect(parseCsv("\uFEFFa;b\n1,5;2\n\n")).toEqual([
    ["a", "b"],
    ["1,5", "2"],
  ]);
  expect(parseCsv("a\tb\r1\t2")).toEqual([
    ["a", "b"],
    ["1", "2"],
  ]);
});

test("[qualitative.exchange.tables] written tables are read back unchanged", () => {
  const rows = [
    ["name", "memo"],
    ['a "b"', "line\r\nline,;\t"],
    ["=1+1", " spaced "],
    ["'quoted", "-5"],
  ];
  const text = rows.map((row) => formatCsvLine(row.map(escapeFormula), "\r\n")).join("");

  expect(text).toContain("'=1+1");
  expect(parseCsv(text).map((row) => row.map(unescapeFormula))).toEqual(rows);
});

test("[qualitative.exchange.tables] broken quotes give cells, not an error", () => {
  expect(parseCsv('a,b\n"open,x\ny')).toEqual([["a", "b"], ["open,x\ny"]]);
  expect(parseCsv('a,b\n"x"tail,y')).toEqual([
    ["a", "b"],
    ["xtail", "y"],
  ]);
  expect(parseCsv("")).toEqual([]);
});
