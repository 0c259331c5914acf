import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readRegex } from "./regex.ts";
import { InvalidPatternError } from "./regex-parser.ts";

const fits = (written: string, text: string): boolean =>
  readRegex(written).starts(text, 1).length > 0;

describe("supported syntax matches as in JavaScript", () => {
  const texts = [
    "",
    "a",
    "ab",
    "abab",
    "aab",
    "b\na",
    "foo.bar",
    "x1_y",
    "AB",
    "日本 x",
    "a-b]c",
    " \t",
  ];
  const written = [
    "a",
    "ab",
    "a|b",
    "(a|b)c",
    "(?:ab)+",
    "a+b",
    "a?b",
    "^a",
    "a$",
    "^b$",
    "[ab]+b",
    "[^a]",
    "\\.",
    "\\w\\d",
    "\\bx",
    "\\Bb",
    "a{2}b",
    "(ab){2,}",
    "a{1,2}b",
    "[a-c-]b",
    "[]\\]]c",
    ".b",
    "\\s",
    "\\S\\S\\S",
    "\\p{Lu}",
    "[\\d_]+y",
    "(a|ab)(b|)$",
    "日.",
    "(?:a*)*b",
  ];
  for (const one of written) {
    test(one, () => {
      const own = new RegExp(one === "[]\\]]c" ? "[\\]]c" : one, "mu");
      for (const text of texts)
        expect([one, text, fits(one, text)]).toEqual([one, text, own.test(text)]);
    });
  }
});

/** Expressions with every construct over a small alphabet, so that many match short texts. */
function randomExpressions(repeated = (one: string) => `(?:${one})`) {
  const atom = fc.constantFrom("a", "b", ".", "[ab]", "[^a]", "\\b", "^", "$");
  const { tree } = fc.letrec<{ tree: string }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      atom,
      fc.tuple(tie("tree"), tie("tree")).map(([one, other]) => one + other),
      fc.tuple(tie("tree"), tie("tree")).map(([one, other]) => `(?:${one}|${other})`),
      fc
        .tuple(tie("tree"), fc.constantFrom("*", "+", "?", "{2}", "{0,2}", "*?", "+?", "??"))
        .map(([one, often]) => repeated(one) + often),
    ),
  }));
  return tree;
}

const fewLetters = fc
  .array(fc.constantFrom("a", "b", " ", "\n"), { maxLength: 8 })
  .map((letters) => letters.join(""));

test("random expressions match what the language's own engine matches", () => {
  fc.assert(
    fc.property(randomExpressions(), fewLetters, (written, text) => {
      const own = new RegExp(written, "m");
      if (own.test("")) return;
      expect(fits(written, text)).toBe(own.test(text));
    }),
    { numRuns: 2_000, seed: 20_261_115 },
  );
});

test("[qualitative.patterns.linear] random expressions match like the language's own engine", () => {
  // JavaScript ends a repetition with an empty match; engines differ in the alternative they prefer then.
  const solid = randomExpressions((one) => `(?:[ab]${one})`);
  fc.assert(
    fc.property(solid, fewLetters, (written, text) => {
      if (new RegExp(written, "m").test("")) return;
      const own = [...text.matchAll(new RegExp(written, "gm"))]
        .map(({ index, 0: { length } }) => ({ start: index, end: index + length }))
        .filter(({ start, end }) => start < end);
      expect(readRegex(written).places(text, 99)).toEqual(own);
    }),
    { numRuns: 5_000, seed: 20_261_116 },
  );
});

test("[qualitative.patterns.linear] matches are at character boundaries, up to the limit", () => {
  const places = (written: string, text: string, most = 9) =>
    readRegex(written)
      .places(text, most)
      .map(({ start, end }) => text.slice(start, end));

  expect(places("h\\w+", "how he hoped")).toEqual(["how", "he", "hoped"]);
  expect(places("h\\w+", "how he hoped", 2)).toEqual(["how", "he"]);
  expect(places("h\\w+?", "how he hoped")).toEqual(["ho", "he", "ho"]);
  expect(places("(?i).+$", "Ünal 😀.\r\n𐐷 𐐷")).toEqual(["Ünal 😀.", "𐐷 𐐷"]);
  expect(places("[^a]", "a😀a")).toEqual(["😀"]);
});

test("matches are ordered by start and do not overlap", () => {
  expect(readRegex("sql\\.\\w+").starts("sql.Open\n\nx sql.Query", 10)).toEqual([0, 12]);
  expect(readRegex("aa").starts("aaaaa", 10)).toEqual([0, 2]);
  expect(readRegex("a").starts("aaaa", 2)).toEqual([0, 1]);
  expect(readRegex("b").starts("𐐷b", 10)).toEqual([2]);
});

test("matching is case-insensitive on request", () => {
  expect(fits("(?i)select [a-z]", "SELECT X")).toBe(true);
  expect(fits("select", "SELECT")).toBe(false);
});

test("backreferences and invalid expressions are refused", () => {
  const bad = [
    "(a)\\1",
    "(?=a)",
    "(?<n>a)",
    "(a",
    "a)",
    "[a",
    "*a",
    "a\\",
    "a*",
    "",
    "x{3,2}",
    "[z-a]",
    "\\q",
    "\\p{Nope}",
    "((((a{99}){99}){99}){99})",
    `${"(".repeat(60)}a${")".repeat(60)}`,
    "(((){999}){999}){999}a",
    "a".repeat(501),
  ];
  for (const one of bad) expect(() => readRegex(one), one).toThrow(InvalidPatternError);
});

test("[qualitative.patterns.counts] a repetition count is honored or refused, never matched literally", () => {
  for (const one of ["a{1,1000}b", "a{1000}", "a{0501,}b", "a{99999999999}b", "(?:ab){2,4000}"]) {
    expect(() => readRegex(one), one).toThrow(/repeats more than 500 times/);
  }
  for (const one of ["a{,5}b", "a{1, 5}b", "a{ 2 }b", "a{1,2,3}b"]) {
    expect(() => readRegex(one), one).toThrow(/is not a valid count; write/);
  }
  for (const one of ["{2}a", "a|{2}", "({1,1000})"]) {
    expect(() => readRegex(one), one).toThrow(/nothing to repeat/);
  }
  expect(fits("^a{1,200}b$", `${"a".repeat(200)}b`)).toBe(true);
  expect(fits("^a{1,200}b$", `${"a".repeat(201)}b`)).toBe(false);
  expect(fits("a{x}\\{1,1000}{{name}}", "a{x}{1,1000}{{name}}")).toBe(true);
});

test("catastrophic expressions take a few steps per character", () => {
  const steps = readRegex("^(a+)+$");
  expect(steps.starts(`${"a".repeat(50_000)}!`, 10)).toEqual([]);
  expect(readRegex("(x+x+)+y").starts("x".repeat(50_000), 10)).toEqual([]);
  expect(readRegex("(x+x+)+y|x").places("x".repeat(50_000), 10)).toHaveLength(10);
  expect(readRegex("x[^y]*y|x").places("x".repeat(50_000), 99_999)).toHaveLength(50_000);
});
