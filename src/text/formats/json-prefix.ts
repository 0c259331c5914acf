/** Whether the text so far can be completed to one JSON object or array. */
export type JsonPrefixVerdict = "unfinished" | "complete" | "impossible";

export interface JsonPrefixChecker {
  /** Adds the next part of the text. `impossible` is final. */
  feed(text: string): JsonPrefixVerdict;
}

/** Deeper nesting is reported as impossible, to limit the memory for open brackets. */
export const maxNesting = 2 ** 20;

/**
 * An incremental JSON validator for input that arrives in parts. It stores only its state and the
 * open brackets, reads each character once and does not recurse.
 *
 *     {"a": [1, tru          unfinished
 *     {"a": [1, true]}       complete
 *     {"a": [1, trap         impossible, from the `a` of `trap` on
 */
export function createJsonPrefixChecker(): JsonPrefixChecker {
  let state: State = "start";
  /** The open brackets, outermost first. */
  const open: number[] = [];
  /** Whether the current string is an object key. */
  let isKey = false;
  /** The remaining characters of `true`, `false` or `null`. */
  let missing = "";
  /** The remaining digits of a `\u` escape. */
  let digitsMissing = 0;

  const afterValue = (): State => (open.length === 0 ? "end" : "next");

  const enter = (bracket: number): State => {
    if (open.length === maxNesting) return "impossible";
    open.push(bracket);
    return bracket === Char.brace ? "first key" : "first item";
  };

  const leave = (bracket: number): State => (open.pop() === bracket ? afterValue() : "impossible");

  const beginValue = (char: number): State => {
    if (char === Char.brace || char === Char.bracket) return enter(char);
    if (char === Char.quote) {
      isKey = false;
      return "string";
    }
    if (char === Char.minus) return "minus";
    if (char === Char.zero) return "zero";
    if (isDigit(char)) return "whole";
    missing = literals.get(char) ?? "";
    return missing === "" ? "impossible" : "literal";
  };

  const beginKey = (char: number): State => {
    isKey = true;
    return char === Char.quote ? "string" : "impossible";
  };

  const step = (char: number): State => {
    switch (state) {
      case "start":
        if (isSpace(char)) return state;
        return char === Char.brace || char === Char.bracket ? enter(char) : "impossible";
      case "value":
        return isSpace(char) ? state : beginValue(char);
      case "first item":
        if (isSpace(char)) return state;
        return char === Char.bracketEnd ? leave(Char.bracket) : beginValue(char);
      case "key":
        return isSpace(char) ? state : beginKey(char);
      case "first key":
        if (isSpace(char)) return state;
        return char === Char.braceEnd ? leave(Char.brace) : beginKey(char);
      case "colon":
        if (isSpace(char)) return state;
        return char === Char.colon ? "value" : "impossible";
      case "next":
        if (isSpace(char)) return state;
        if (char === Char.comma) return open.at(-1) === Char.brace ? "key" : "value";
        if (char === Char.braceEnd) return leave(Char.brace);
        return char === Char.bracketEnd ? leave(Char.bracket) : "impossible";
      case "string":
        if (char === Char.quote) return isKey ? "colon" : "next";
        if (char === Char.backslash) return "escape";
        return char < Char.space ? "impossible" : state;
      case "escape":
        digitsMissing = 4;
        if (char === Char.u) return "code";
        return escapable.has(char) ? "string" : "impossible";
      case "code":
        if (!isHexDigit(char)) return "impossible";
        digitsMissing -= 1;
        return digitsMissing === 0 ? "string" : state;
      case "literal":
        if (char !== missing.charCodeAt(0)) return "impossible";
        missing = missing.slice(1);
        return missing === "" ? "next" : state;
      case "end":
        return isSpace(char) ? state : "impossible";
      case "impossible":
        return state;
      default: {
        const { follow, mayEnd } = numbers[state];
        const nextState = follow(char);
        if (nextState !== undefined) return nextState;
        if (!mayEnd) return "impossible";
        // A number has no terminator, so this character belongs to the next token.
        state = "next";
        return step(char);
      }
    }
  };

  return {
    feed(text) {
      for (let at = 0; at < text.length && state !== "impossible"; at++) {
        // Fast path: long texts consist mostly of string contents.
        if (state === "string") at = endOfPlainText(text, at);
        if (at < text.length) state = step(text.charCodeAt(at));
      }
      if (state === "impossible") return "impossible";
      return state === "end" ? "complete" : "unfinished";
    },
  };
}

function endOfPlainText(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === Char.quote || char === Char.backslash || char < Char.space) return at;
  }
  return text.length;
}

type State =
  | "start"
  | "value"
  | "first item"
  | "key"
  | "first key"
  | "colon"
  | "next"
  | "string"
  | "escape"
  | "code"
  | "literal"
  | "end"
  | "impossible"
  | NumberState;

type NumberState =
  | "minus"
  | "zero"
  | "whole"
  | "point"
  | "fraction"
  | "power"
  | "power sign"
  | "power digits";

const Char = {
  space: 0x20,
  quote: 0x22,
  comma: 0x2c,
  minus: 0x2d,
  zero: 0x30,
  colon: 0x3a,
  bracket: 0x5b,
  backslash: 0x5c,
  bracketEnd: 0x5d,
  u: 0x75,
  brace: 0x7b,
  braceEnd: 0x7d,
} as const;

const code = (character: string): number => character.charCodeAt(0);

/** The first character of each literal, with the characters that must follow. */
const literals = new Map(["true", "false", "null"].map((word) => [code(word), word.slice(1)]));

const escapable = new Set([...'"\\/bfnrt'].map(code));

const isSpace = (char: number): boolean =>
  char === 0x20 || char === 0x0a || char === 0x0d || char === 0x09;

const isDigit = (char: number): boolean => char >= 0x30 && char <= 0x39;

const isHexDigit = (char: number): boolean =>
  isDigit(char) || (char >= 0x41 && char <= 0x46) || (char >= 0x61 && char <= 0x66);

const isPoint = (char: number): boolean => char === 0x2e;

const isPowerMark = (char: number): boolean => char === 0x65 || char === 0x45;

const isSign = (char: number): boolean => char === 0x2b || char === 0x2d;

/** The states of a number: their transitions, and whether the number may end there. */
const numbers: Record<
  NumberState,
  { follow: (char: number) => NumberState | undefined; mayEnd: boolean }
> = {
  minus: {
    follow: (char) => (char === Char.zero ? "zero" : isDigit(char) ? "whole" : undefined),
    mayEnd: false,
  },
  zero: {
    follow: (char) => (isPoint(char) ? "point" : isPowerMark(char) ? "power" : undefined),
    mayEnd: true,
  },
  whole: {
    follow: (char) => (isDigit(char) ? "whole" : numbers.zero.follow(char)),
    mayEnd: true,
  },
  point: { follow: (char) => (isDigit(char) ? "fraction" : undefined), mayEnd: false },
  fraction: {
    follow: (char) => (isDigit(char) ? "fraction" : isPowerMark(char) ? "power" : undefined),
    mayEnd: true,
  },
  power: {
    follow: (char) => (isSign(char) ? "power sign" : isDigit(char) ? "power digits" : undefined),
    mayEnd: false,
  },
  "power sign": { follow: (char) => (isDigit(char) ? "power digits" : undefined), mayEnd: false },
  "power digits": { follow: (char) => (isDigit(char) ? "power digits" : undefined), mayEnd: true },
};
