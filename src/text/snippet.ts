import { linesOf } from "./lines.ts";
import { stemOf } from "./stems.ts";
import { isPlain, placedTokens, tokensOf } from "./tokens.ts";

/** The most that a snippet holds, in UTF-16 units, before line numbers are added. */
const snippetLength = 300;

/** What is left for the best line, however long the one before it is. */
const leastOfBest = 80;

export interface Excerpt {
  /** The first line's number in the file. */
  line: number;
  lines: string[];
}

/**
 * The part of a text that shows best why it was found: the line with most of the tokens, one line
 * before it and as many after it as fit. `firstLine` is the number of the text's own first line.
 */
export function excerpt(text: string, wanted: ReadonlySet<string>, firstLine: number): Excerpt {
  const lines = linesOf(text);
  const best = bestLine(lines, wanted);
  const before = lines[best - 1] ?? "";
  const isShown = before.trim() !== "" && before.length < snippetLength - leastOfBest;
  const start = isShown ? best - 1 : best;
  const chosen: string[] = [];
  let left = snippetLength;
  for (const [offset, line] of lines.slice(start).entries()) {
    const mustFit = start + offset === best;
    if (line.length > left) {
      if (mustFit) chosen.push(around(line, wanted, left));
      break;
    }
    chosen.push(line);
    left -= line.length + 1;
  }
  while (chosen.length > 1 && chosen.at(-1)?.trim() === "") chosen.pop();
  return { line: firstLine + start, lines: chosen };
}

/** The line with most of the tokens, the first of equal ones. */
function bestLine(lines: readonly string[], wanted: ReadonlySet<string>): number {
  const tokensIn = lookFor(wanted);
  let best = 0;
  let most = 0;
  for (const [index, line] of lines.entries()) {
    const count = tokensIn(line);
    if (count > most) {
      best = index;
      most = count;
    }
    if (most === wanted.size) break;
  }
  return best;
}

/**
 * Counts the wanted tokens of a line. A stem has all letters of its word but the last few, so of a
 * plain line only the words that begin like one of the tokens are looked at. A line with other
 * letters is read whole, since folding may bring ours about.
 */
function lookFor(wanted: ReadonlySet<string>): (line: string) => number {
  const countAll = (line: string): number =>
    new Set(tokensOf(line).filter((token) => wanted.has(token))).size;
  const tokens = [...wanted];
  if (!tokens.every((token) => /^[a-z0-9_]+$/.test(token))) return countAll;
  const beginnings = new Set(
    tokens.map((token) => token.slice(0, Math.min(Math.max(token.length - 1, 2), 4))),
  );
  return (line) => {
    if (otherLetters.test(line)) return countAll(line);
    const small = line.toLowerCase();
    const found = new Set<string>();
    for (const beginning of beginnings) {
      for (const word of wordsBegunWith(beginning, small)) {
        const stem = stemOf(word);
        if (wanted.has(stem)) found.add(stem);
      }
    }
    return found.size;
  };
}

/** Of a line in small letters. */
function* wordsBegunWith(beginning: string, line: string): Generator<string> {
  for (let at = line.indexOf(beginning); at >= 0; at = line.indexOf(beginning, at + 1)) {
    if (isPlain(line.charCodeAt(at - 1))) continue;
    let end = at + beginning.length;
    while (isPlain(line.charCodeAt(end))) end++;
    yield line.slice(at, end);
  }
}

/** Not the punctuation, arrows and signs between the alphabets, which English text is full of. */
const otherLetters = /[\u00c0-\u1fff\u2c00-\uffff]/;

/** A window of a long line around its first wanted token, never cutting a surrogate pair. */
function around(line: string, wanted: ReadonlySet<string>, length: number): string {
  const first = firstPlace(line, wanted);
  const start = Math.max(0, Math.min(first - Math.floor(length / 4), line.length - length));
  return line
    .slice(start, start + length)
    .replace(/^[\uDC00-\uDFFF]/, "")
    .replace(/[\uD800-\uDBFF]$/, "");
}

function firstPlace(line: string, wanted: ReadonlySet<string>): number {
  for (const { form, start } of placedTokens(line)) if (wanted.has(form)) return start;
  return 0;
}
