import { createLineTest } from "./line-test.ts";
import { parseRegex, patternOfNode } from "./regex.ts";
import { invalidPattern } from "./regex-parser.ts";
import { compilePattern } from "./regex-program.ts";
import { requiredLiteral } from "./required-literal.ts";

/** Finds lines that match an expression from untrusted input, in linear time. */
export interface LineSearch {
  /** False if no line of a text can match; much faster than `find`. */
  mayMatch(text: string): boolean;
  /** The offset of the first match in a line; -1 if there is none. */
  find(line: string): number;
  /** Of a longer line, only the start is searched, so that one line cannot block other work. */
  readonly maxLength: number;
}

/** Finding the leftmost match takes memory for each character; in longer lines it is any match. */
const maxExactLength = 20_000;

/** Text is found in lines of any length; an expression takes more time for each character. */
const maxExpressionLength = 1_000_000;

export function createLineSearch(
  source: string,
  { isLiteral, ignoreCase }: { isLiteral: boolean; ignoreCase: boolean },
): LineSearch {
  if (isLiteral) return literalSearch(source, ignoreCase);
  const { node, ignoresCase } = parseRegex(source, ignoreCase);
  const pattern = patternOfNode(node);
  const required = requiredLiteral(node);
  if (required.isWhole) return literalSearch(required.text, ignoresCase);
  const matches = createLineTest(compilePattern(node));
  const mayMatch = required.text === "" ? () => true : contains(required.text, ignoresCase);
  return {
    mayMatch,
    maxLength: maxExpressionLength,
    find(given) {
      const line = given.slice(0, maxExpressionLength);
      if (!mayMatch(line) || !matches(line)) return -1;
      const start =
        line.length <= maxExactLength
          ? pattern.places(line, 1)[0]?.start
          : pattern.starts(line, 1)[0];
      return start ?? -1;
    },
  };
}

function literalSearch(literal: string, ignoreCase: boolean): LineSearch {
  if (literal === "") throw invalidPattern("it is empty");
  if (/[\r\n]/.test(literal)) throw invalidPattern("it has more than one line");
  if (!ignoreCase) {
    return {
      mayMatch: (text) => text.includes(literal),
      maxLength: Number.POSITIVE_INFINITY,
      find: (line) => line.indexOf(literal),
    };
  }
  const pattern = caseInsensitive(literal);
  return {
    mayMatch: (text) => pattern.test(text),
    maxLength: Number.POSITIVE_INFINITY,
    find: (line) => line.search(pattern),
  };
}

function contains(literal: string, ignoreCase: boolean): (text: string) => boolean {
  if (!ignoreCase) return (text) => text.includes(literal);
  const pattern = caseInsensitive(literal);
  return (text) => pattern.test(text);
}

/** A native expression without repeats cannot backtrack. */
const caseInsensitive = (literal: string): RegExp =>
  new RegExp(literal.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "iu");
