import { elementAt } from "../arrays/element-at.ts";

/** Thrown for an invalid or unsupported pattern. The message is a clause such as "it is empty". */
export class InvalidPatternError extends Error {}

export const invalidPattern = (reason: string): InvalidPatternError =>
  new InvalidPatternError(reason);

export type CharTest = (char: string) => boolean;

/** Tests a position by the characters around it. Either is empty at that end of the text. */
export type AssertionTest = (before: string, after: string) => boolean;

/** The syntax tree of a pattern. */
export type PatternNode =
  /** `literal` is set if the test accepts only that character, or also its other case. */
  | { kind: "char"; test: CharTest; literal?: string }
  | { kind: "assertion"; test: AssertionTest }
  | { kind: "sequence"; items: PatternNode[] }
  | { kind: "alternation"; items: PatternNode[] }
  | { kind: "repeat"; item: PatternNode; min: number; max: number; isLazy: boolean };

const maxDepth = 50;
/** Repeats are expanded, so a larger count would exceed the limit on NFA states anyway. */
const maxCount = 500;

const isWordChar: CharTest = (char) => /[\p{L}\p{N}_]/u.test(char);
const isSpace: CharTest = (char) => /\s/u.test(char);
const isDigit: CharTest = (char) => /[0-9]/.test(char);
const not =
  (test: CharTest): CharTest =>
  (char) =>
    !test(char);

const classes: Record<string, CharTest> = {
  d: isDigit,
  D: not(isDigit),
  w: isWordChar,
  W: not(isWordChar),
  s: isSpace,
  S: not(isSpace),
};
const controls: Record<string, string> = { n: "\n", t: "\t", r: "\r", f: "\f", v: "\v" };
/** Characters next to a line boundary; the empty string is the start or end of the text. */
const lineEnds = ["", "\n", "\r", "\u2028", "\u2029"];
const isWordBoundary = (before: string, after: string): boolean =>
  isWordChar(before) !== isWordChar(after);
const assertions: Record<string, AssertionTest> = {
  "^": (before) => lineEnds.includes(before),
  $: (_, after) => lineEnds.includes(after),
  "\\b": isWordBoundary,
  "\\B": (before, after) => !isWordBoundary(before, after),
};

export function parsePattern(source: string, ignoreCase: boolean): PatternNode {
  const chars = [...source];
  let at = 0;
  const tree = readAlternation(0);
  if (at < chars.length) throw invalidPattern("it has an unmatched ')'");
  return tree;

  function readAlternation(depth: number): PatternNode {
    if (depth > maxDepth) throw invalidPattern(`its groups are nested more than ${maxDepth} deep`);
    const items = [readSequence(depth)];
    while (chars[at] === "|") {
      at++;
      items.push(readSequence(depth));
    }
    return { kind: "alternation", items };
  }

  function readSequence(depth: number): PatternNode {
    const items: PatternNode[] = [];
    while (at < chars.length && chars[at] !== "|" && chars[at] !== ")") {
      items.push(readRepeats(readItem(depth)));
    }
    return { kind: "sequence", items };
  }

  function readItem(depth: number): PatternNode {
    const char = chars[at++] ?? "";
    const assertion = assertions[char];
    if (assertion) return { kind: "assertion", test: assertion };
    if (char === "(") return readGroup(depth);
    if (char === "[") return { kind: "char", test: readClass() };
    if (char === ".") return { kind: "char", test: (tested) => !lineEnds.includes(tested) };
    if (char === "\\") return readEscape();
    if ("*+?".includes(char) || countAt(at - 1))
      throw invalidPattern(`'${char}' has nothing to repeat`);
    return { kind: "char", test: literalTest(char), literal: char };
  }

  function readGroup(depth: number): PatternNode {
    if (chars[at] === "?") {
      if (chars[at + 1] !== ":")
        throw invalidPattern("it uses lookaround or a named group, which are not supported");
      at += 2;
    }
    const inner = readAlternation(depth + 1);
    if (chars[at++] !== ")") throw invalidPattern("it has an unclosed group");
    return inner;
  }

  function readEscape(): PatternNode {
    const char = chars[at++];
    if (char === undefined) throw invalidPattern("it ends with a backslash");
    const assertion = assertions[`\\${char}`];
    if (assertion) return { kind: "assertion", test: assertion };
    const test = escapeTest(char);
    return /[a-zA-Z0-9]/.test(char)
      ? { kind: "char", test }
      : { kind: "char", test, literal: char };
  }

  function escapeTest(char: string): CharTest {
    const charClass = classes[char];
    if (charClass) return charClass;
    if (/[pP]/.test(char)) return readProperty(char);
    if (/[1-9k]/.test(char))
      throw invalidPattern("it uses a backreference, which is not supported");
    if (char in controls) return literalTest(controls[char] ?? "");
    if (/[a-zA-Z0]/.test(char)) throw invalidPattern(`'\\${char}' is not a supported escape`);
    return literalTest(char);
  }

  /** `\p{Lu}`: delegated to a native RegExp that tests one character, so it cannot backtrack. */
  function readProperty(char: string): CharTest {
    const end = chars.indexOf("}", at);
    const name = chars.slice(at, end + 1).join("");
    if (!/^\{[\w=]{1,40}\}$/.test(name))
      throw invalidPattern("'\\p' needs a property name, such as \\p{L}");
    at = end + 1;
    try {
      const property = new RegExp(`^\\${char}${name}$`, "u");
      return (tested) => property.test(tested);
    } catch {
      throw invalidPattern(`the property ${name} does not exist`);
    }
  }

  function readClass(): CharTest {
    const isNegated = chars[at] === "^";
    if (isNegated) at++;
    const tests: CharTest[] = [];
    for (let first = true; first || chars[at] !== "]"; first = false) {
      const char = chars[at++];
      if (char === undefined) throw invalidPattern("it has an unclosed character class");
      if (char === "\\" && isClassEscape(chars[at] ?? "")) {
        tests.push(escapeTest(elementAt(chars, at++)));
        continue;
      }
      const low = char === "\\" ? readLiteral() : char;
      const isRange = chars[at] === "-" && chars[at + 1] !== "]" && at + 1 < chars.length;
      if (!isRange) {
        tests.push(literalTest(low));
        continue;
      }
      at++;
      const next = chars[at++] ?? "";
      tests.push(rangeTest(low, next === "\\" ? readLiteral() : next));
    }
    at++;
    const isMember: CharTest = (char) => tests.some((test) => test(char));
    return isNegated ? not(isMember) : isMember;
  }

  function readLiteral(): string {
    const char = chars[at++] ?? "";
    if (char in controls) return controls[char] ?? "";
    if (char === "" || /[a-zA-Z0-9]/.test(char))
      throw invalidPattern("a character class contains an unsupported escape");
    return char;
  }

  function rangeTest(low: string, high: string): CharTest {
    const [from, to] = [low.codePointAt(0) ?? 0, high.codePointAt(0) ?? 0];
    if (from > to) throw invalidPattern(`'${low}-${high}' is out of order`);
    const isMember = (char: string): boolean => {
      const code = char.codePointAt(0) ?? 0;
      return code >= from && code <= to;
    };
    if (!ignoreCase) return isMember;
    return (char) => isMember(char.toLowerCase()) || isMember(char.toUpperCase());
  }

  function literalTest(wanted: string): CharTest {
    if (!ignoreCase) return (char) => char === wanted;
    const lower = wanted.toLowerCase();
    return (char) => char.toLowerCase() === lower;
  }

  function readRepeats(item: PatternNode): PatternNode {
    let node = item;
    for (let count = 0; ; count++) {
      const bounds = readBounds();
      if (!bounds) return node;
      if (count > 3) throw invalidPattern("it has too many quantifiers in a row");
      const isLazy = chars[at] === "?";
      if (isLazy) at++;
      node = { kind: "repeat", item: node, ...bounds, isLazy };
    }
  }

  function readBounds(): { min: number; max: number } | undefined {
    const char = chars[at];
    const quantifiers = {
      "*": { min: 0, max: Number.POSITIVE_INFINITY },
      "+": { min: 1, max: Number.POSITIVE_INFINITY },
      "?": { min: 0, max: 1 },
    };
    if (char === "*" || char === "+" || char === "?") {
      at++;
      return quantifiers[char];
    }
    const braces = countAt(at);
    if (!braces) return undefined;
    at += braces.length;
    const [, low = "", comma, high = ""] = /^\{(\d*)(,?)(\d*)\}$/.exec(braces) ?? [];
    if (low === "")
      throw invalidPattern(
        `'${braces}' is not a valid count; write {0,3}, or \\{ for a literal brace`,
      );
    const min = Number(low);
    const max = !comma ? min : high ? Number(high) : Number.POSITIVE_INFINITY;
    if (Math.max(min, high ? max : 0) > maxCount) {
      throw invalidPattern(`'${braces}' repeats more than ${maxCount} times`);
    }
    if (max < min) throw invalidPattern(`'${braces}' is out of order`);
    return { min, max };
  }

  /** Braces around a count, such as `{2,5}`. Other braces, as in `{{name}}`, are literals. */
  function countAt(index: number): string | undefined {
    if (chars[index] !== "{") return undefined;
    return /^\{[\s,]*\d[\d\s,]*\}/.exec(chars.slice(index).join(""))?.[0];
  }
}

/** Whether an escape matches a set of characters. */
const isClassEscape = (char: string): boolean => /[dDwWsSpP]/.test(char);
