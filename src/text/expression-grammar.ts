/** Thrown for an expression that cannot be used, with the reason in plain words. */
export class UnreadableExpression extends Error {}

export const unreadable = (reason: string): UnreadableExpression =>
  new UnreadableExpression(reason);

export type LetterTest = (letter: string) => boolean;
/** Whether a place between two letters is meant; one of them is empty at an end of the text. */
export type PlaceTest = (before: string, after: string) => boolean;

/** An expression as it is nested. */
export type Node =
  | { kind: "letter"; test: LetterTest }
  | { kind: "place"; test: PlaceTest }
  | { kind: "row"; items: Node[] }
  | { kind: "choice"; items: Node[] }
  | { kind: "repeat"; item: Node; least: number; most: number; isLazy: boolean };

const deepest = 50;
/** Each repetition becomes a step of its own, and an expression has few hundred of those. */
const maxCount = 500;

const isWordLetter: LetterTest = (letter) => /[\p{L}\p{N}_]/u.test(letter);
const isSpace: LetterTest = (letter) => /\s/u.test(letter);
const isDigit: LetterTest = (letter) => /[0-9]/.test(letter);
const not =
  (test: LetterTest): LetterTest =>
  (letter) =>
    !test(letter);

const classes: Record<string, LetterTest> = {
  d: isDigit,
  D: not(isDigit),
  w: isWordLetter,
  W: not(isWordLetter),
  s: isSpace,
  S: not(isSpace),
};
const controls: Record<string, string> = { n: "\n", t: "\t", r: "\r", f: "\f", v: "\v" };
/** Where lines end; texts from elsewhere end them with both of the first two. */
const lineEnds = ["", "\n", "\r", "\u2028", "\u2029"];
const isBorder = (before: string, after: string): boolean =>
  isWordLetter(before) !== isWordLetter(after);
const places: Record<string, PlaceTest> = {
  "^": (before) => lineEnds.includes(before),
  $: (_, after) => lineEnds.includes(after),
  "\\b": isBorder,
  "\\B": (before, after) => !isBorder(before, after),
};

export function parse(written: string, ignoreCase: boolean): Node {
  const letters = [...written];
  let at = 0;
  const whole = readChoice(0);
  if (at < letters.length) throw unreadable("a bracket closes that none opened");
  return whole;

  function readChoice(depth: number): Node {
    if (depth > deepest) throw unreadable("its groups lie too deep in each other");
    const items = [readRow(depth)];
    while (letters[at] === "|") {
      at++;
      items.push(readRow(depth));
    }
    return { kind: "choice", items };
  }

  function readRow(depth: number): Node {
    const items: Node[] = [];
    while (at < letters.length && letters[at] !== "|" && letters[at] !== ")") {
      items.push(readRepeats(readItem(depth)));
    }
    return { kind: "row", items };
  }

  function readItem(depth: number): Node {
    const letter = letters[at++] ?? "";
    const place = places[letter];
    if (place) return { kind: "place", test: place };
    if (letter === "(") return readGroup(depth);
    if (letter === "[") return { kind: "letter", test: readClass() };
    if (letter === ".") return { kind: "letter", test: (other) => !lineEnds.includes(other) };
    if (letter === "\\") return readEscape();
    if ("*+?".includes(letter) || countAt(at - 1))
      throw unreadable(`'${letter}' has nothing to repeat`);
    return { kind: "letter", test: same(letter) };
  }

  function readGroup(depth: number): Node {
    if (letters[at] === "?") {
      if (letters[at + 1] !== ":") throw unreadable("it looks around, or names a group");
      at += 2;
    }
    const inner = readChoice(depth + 1);
    if (letters[at++] !== ")") throw unreadable("a group is not closed");
    return inner;
  }

  function readEscape(): Node {
    const letter = letters[at++];
    if (letter === undefined) throw unreadable("it ends with a backslash");
    const place = places[`\\${letter}`];
    if (place) return { kind: "place", test: place };
    return { kind: "letter", test: escaped(letter) };
  }

  function escaped(letter: string): LetterTest {
    const known = classes[letter];
    if (known) return known;
    if (/[pP]/.test(letter)) return readProperty(letter);
    if (/[1-9k]/.test(letter)) throw unreadable("it refers back to a group");
    if (letter in controls) return same(controls[letter] ?? "");
    if (/[a-zA-Z0]/.test(letter)) throw unreadable(`'\\${letter}' is not known`);
    return same(letter);
  }

  /** `\p{Lu}`: the engine of the language knows the letters, and is asked for one at a time. */
  function readProperty(letter: string): LetterTest {
    const end = letters.indexOf("}", at);
    const name = letters.slice(at, end + 1).join("");
    if (!/^\{[\w=]{1,40}\}$/.test(name)) throw unreadable("a property has no name");
    at = end + 1;
    try {
      const property = new RegExp(`^\\${letter}${name}$`, "u");
      return (other) => property.test(other);
    } catch {
      throw unreadable(`the property ${name} is not known`);
    }
  }

  function readClass(): LetterTest {
    const isNot = letters[at] === "^";
    if (isNot) at++;
    const tests: LetterTest[] = [];
    for (let first = true; first || letters[at] !== "]"; first = false) {
      const letter = letters[at++];
      if (letter === undefined) throw unreadable("a class is not closed");
      if (letter === "\\" && classFrom(letters[at] ?? "")) {
        tests.push(escaped(letters[at++] ?? ""));
        continue;
      }
      const low = letter === "\\" ? readLiteral() : letter;
      const isRange = letters[at] === "-" && letters[at + 1] !== "]" && at + 1 < letters.length;
      if (!isRange) {
        tests.push(same(low));
        continue;
      }
      at++;
      const next = letters[at++] ?? "";
      tests.push(between(low, next === "\\" ? readLiteral() : next));
    }
    at++;
    const isIn: LetterTest = (letter) => tests.some((test) => test(letter));
    return isNot ? not(isIn) : isIn;
  }

  function readLiteral(): string {
    const letter = letters[at++] ?? "";
    if (letter in controls) return controls[letter] ?? "";
    if (letter === "" || /[a-zA-Z0-9]/.test(letter))
      throw unreadable("a class holds an unknown escape");
    return letter;
  }

  function between(low: string, high: string): LetterTest {
    const [from, to] = [low.codePointAt(0) ?? 0, high.codePointAt(0) ?? 0];
    if (from > to) throw unreadable(`'${low}-${high}' is the wrong way round`);
    const isIn = (letter: string): boolean => {
      const code = letter.codePointAt(0) ?? 0;
      return code >= from && code <= to;
    };
    if (!ignoreCase) return isIn;
    return (letter) => isIn(letter.toLowerCase()) || isIn(letter.toUpperCase());
  }

  function same(wanted: string): LetterTest {
    if (!ignoreCase) return (letter) => letter === wanted;
    const small = wanted.toLowerCase();
    return (letter) => letter.toLowerCase() === small;
  }

  function readRepeats(item: Node): Node {
    let node = item;
    for (let turns = 0; ; turns++) {
      const bounds = readBounds();
      if (!bounds) return node;
      if (turns > 3) throw unreadable("it repeats repeats");
      const isLazy = letters[at] === "?";
      if (isLazy) at++;
      node = { kind: "repeat", item: node, ...bounds, isLazy };
    }
  }

  function readBounds(): { least: number; most: number } | undefined {
    const letter = letters[at];
    const simple = {
      "*": [0, Number.POSITIVE_INFINITY],
      "+": [1, Number.POSITIVE_INFINITY],
      "?": [0, 1],
    };
    if (letter === "*" || letter === "+" || letter === "?") {
      at++;
      const [least = 0, most = 0] = simple[letter];
      return { least, most };
    }
    const braces = countAt(at);
    if (!braces) return undefined;
    at += braces.length;
    const [, low = "", comma, high = ""] = /^\{(\d*)(,?)(\d*)\}$/.exec(braces) ?? [];
    if (low === "") throw unreadable(`'${braces}' is no count; write {0,3}, or \\{ for the brace`);
    const least = Number(low);
    const most = !comma ? least : high ? Number(high) : Number.POSITIVE_INFINITY;
    if (Math.max(least, high ? most : 0) > maxCount) {
      throw unreadable(`'${braces}' repeats more than ${maxCount} times`);
    }
    if (most < least) throw unreadable(`'${braces}' is the wrong way round`);
    return { least, most };
  }

  /** Braces that hold a count, such as `{2,5}`; others, as in `{{name}}`, are plain characters. */
  function countAt(place: number): string | undefined {
    if (letters[place] !== "{") return undefined;
    return /^\{[\s,]*\d[\d\s,]*\}/.exec(letters.slice(place).join(""))?.[0];
  }
}

/** Whether an escape stands for many letters. */
const classFrom = (letter: string): boolean => /[dDwWsSpP]/.test(letter);
