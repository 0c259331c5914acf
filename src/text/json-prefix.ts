/** What a text is, so far, as one JSON object or array. */
export type Verdict = "unfinished" | "complete" | "impossible";

export interface JsonPrefix {
  /** Takes the next piece of the text. Once `impossible`, it stays so. */
  feed(text: string): Verdict;
}

/** Deeper nesting counts as impossible: no message needs it, and every level costs memory. */
export const deepestNesting = 2 ** 20;

/**
 * Tells whether a text could still become one JSON object or array, without keeping the text:
 * each character is seen once, in whatever pieces it comes, and nesting uses no stack frames.
 *
 *     {"a": [1, tru          unfinished
 *     {"a": [1, true]}       complete
 *     {"a": [1, trap         impossible, from the `a` of `trap` on
 */
export function jsonPrefix(): JsonPrefix {
  let state: State = "start";
  /** The brackets that are open, outermost first. */
  const open: number[] = [];
  /** Whether the string that is being read is the name of a member. */
  let isKey = false;
  /** What must still come of `true`, `false`, `null` or the four digits of an escape. */
  let missing = "";
  let digitsMissing = 0;

  const afterValue = (): State => (open.length === 0 ? "end" : "next");

  const enter = (bracket: number): State => {
    if (open.length === deepestNesting) return "impossible";
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
        const inNumber = follow(char);
        if (inNumber !== undefined) return inNumber;
        if (!mayEnd) return "impossible";
        // A number has no end mark of its own, so this character already belongs to what follows.
        state = "next";
        return step(char);
      }
    }
  };

  return {
    feed(text) {
      for (let at = 0; at < text.length && state !== "impossible"; at++) {
        // Most of a long text is the inside of strings, so that is passed over quickly.
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

/** The first letter of each literal, with the letters that must follow it. */
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

/** How a number goes on, and where it may stop. */
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
