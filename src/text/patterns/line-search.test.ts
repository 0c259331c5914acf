import fc from "fast-check";
import { expect, test } from "vitest";
import { cpuMs } from "../../../tests/fixtures/cpu-time.ts";
import { createLineSearch } from "./line-search.ts";
import { parseRegex, readRegex } from "./regex.ts";
import { InvalidPatternError } from "./regex-parser.ts";
import { requiredLiteral } from "./required-literal.ts";

const regex = (source: string, ignoreCase = false) =>
  createLineSearch(source, { isLiteral: false, ignoreCase });
const literal = (source: string, ignoreCase = false) =>
  createLineSearch(source, { isLiteral: true, ignoreCase });

test("[search.grep.pattern] an expression or a literal is found at its first place in a line", () => {
  expect(regex("a+b").find("xx aab ab")).toBe(3);
  expect(regex("^b").find("ab")).toBe(-1);
  expect(regex("b$").find("bab")).toBe(2);
  expect(regex("\\bfür\\b").find("dafür für")).toBe(6);
  expect(regex("abcd|c").find("abcd")).toBe(0);
  expect(regex("😀.").find("a😀b")).toBe(1);
  expect(regex("KUBE\\w+", true).find("the kubectl")).toBe(4);
  expect(regex("(?i)straße").find("STRASSE Straße")).toBe(8);
  expect(literal("a+b").find("aab a+b")).toBe(4);
  expect(literal("A+B", true).find("aab a+b")).toBe(4);
  expect(literal("x").find("")).toBe(-1);
});

test("[search.grep.pattern] what matches nothing, everything or several lines is refused", () => {
  for (const source of ["a*", "", "(", "(a)\\1", "(?=a)", "x".repeat(501)]) {
    expect(() => regex(source), source).toThrow(InvalidPatternError);
  }
  for (const source of ["", "a\nb"]) expect(() => literal(source)).toThrow(InvalidPatternError);
});

test("a line test agrees with the engine, with and without assertions", () => {
  const part = fc.constantFrom("a", "b", "[ab]", ".", "\\b", "^", "$", "a*", "(ab|b)+", "é", "\\w");
  const source = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(""));
  const line = fc.string({ unit: fc.constantFrom("a", "b", " ", "é", "😀"), maxLength: 12 });
  fc.assert(
    fc.property(source, line, (written, text) => {
      let wanted: number;
      try {
        wanted = readRegex(written).places(text, 1)[0]?.start ?? -1;
      } catch {
        return;
      }
      const search = regex(written);
      expect(search.find(text)).toBe(wanted);
      if (wanted >= 0) expect(search.mayMatch(text)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ["foo\\d+bar", "foo", false],
  ["\\d+longer", "longer", false],
  ["(?:ab)c", "abc", true],
  ["ab{2}c", "abbc", false],
  ["ab?c", "a", false],
  ["(one|two) three", " three", false],
  ["\\.md$", ".md", false],
  ["a|b", "", false],
  ["a+b", "a", false],
])("every match of %s contains '%s'", (source, text, isWhole) => {
  const found = requiredLiteral(parseRegex(source).node);
  expect(found.isWhole).toBe(isWhole);
  expect(text).toContain(found.text);
  expect(found.text === "").toBe(text === "");
});

test("[search.grep.linear] hostile expressions and lines take linear time", () => {
  const line = "a".repeat(100_000);
  const started = cpuMs();
  for (const source of ["(a+)+$b", "(a|a)*b", "(a*)*b", "(.*)(.*)(.*)x", "\\w+\\d{20}\\b"]) {
    expect(regex(source).find(line)).toBe(-1);
  }
  // Many different characters do not make the automaton grow without bound.
  const many = Array.from({ length: 200_000 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join(
    "",
  );
  expect(regex("\\b.\\d").find(many)).toBe(-1);
  expect(cpuMs() - started).toBeLessThan(20_000);
});
