import { groupBy } from "../arrays/group-by.ts";
import { frontmatterLength } from "../markdown/frontmatter.ts";
import { splitLines } from "../strings/lines.ts";
import { trimSurrogateHalves } from "../strings/surrogates.ts";
import { foldText } from "./folded-text.ts";
import { isLinkLine, isMacroLine } from "./link-lists.ts";
import { stemOf } from "./stems.ts";
import { isAsciiWordChar, isSpacelessScript, tokensWithOffsets } from "./tokens.ts";

/** The maximum length of a snippet in UTF-16 units, without line numbers. */
const snippetLength = 300;

/** The line before the best line is shown only if it leaves this much for the best line. */
const minBestLineLength = 80;

export interface Snippet {
  /** The number of the first line in the file. */
  line: number;
  /** The number of the line with the match. */
  matchLine: number;
  lines: string[];
}

/**
 * The part of a text that best shows why it matched: the line with the most query tokens, the line
 * before it, and as many lines after it as fit. Prose is preferred to links, macros and front matter.
 * `firstLine` is the line number of the text's start.
 */
export function createSnippet(
  text: string,
  queryTokens: ReadonlySet<string>,
  firstLine: number,
): Snippet {
  const lines = splitLines(text);
  const weightOf = createLineWeights(lines, firstLine);
  const best = bestLine(text, lines, queryTokens, weightOf);
  const before = lines[best - 1] ?? "";
  const isShown =
    before.trim() !== "" &&
    before.length < snippetLength - minBestLineLength &&
    weightOf(best - 1) >= weightOf(best);
  const start = isShown ? best - 1 : best;
  const chosen: string[] = [];
  let left = snippetLength;
  for (const [offset, line] of lines.slice(start).entries()) {
    const mustFit = start + offset === best;
    if (line.length > left) {
      if (mustFit) chosen.push(windowAround(line, queryTokens, left));
      break;
    }
    chosen.push(line);
    left -= line.length + 1;
  }
  while (chosen.length > 1 && chosen.at(-1)?.trim() === "") chosen.pop();
  return { line: firstLine + start, matchLine: firstLine + best, lines: chosen };
}

/** What a word in a line counts: the most in prose. */
const lineWeights = { prose: 1, links: 0.5, macros: 0.45, frontmatter: 0.45 } as const;

function createLineWeights(lines: readonly string[], firstLine: number): (index: number) => number {
  const frontmatterLines = firstLine === 1 ? frontmatterLength(lines) : 0;
  return (index) => {
    const line = lines[index] ?? "";
    if (index < frontmatterLines) return lineWeights.frontmatter;
    if (isMacroLine(line)) return lineWeights.macros;
    return isLinkLine(line) ? lineWeights.links : lineWeights.prose;
  };
}

/** The index of the line with the most query tokens by weight; on a tie, the first. */
function bestLine(
  text: string,
  lines: readonly string[],
  queryTokens: ReadonlySet<string>,
  weightOf: (index: number) => number,
): number {
  const { tokensIn, candidates } = createTokenCounter(queryTokens);
  let best = 0;
  let highestCount = 0;
  for (const { index, most } of candidates(text, lines)) {
    if (most <= highestCount) continue;
    const tokens = tokensIn(lines[index] ?? "");
    const count = tokens > highestCount ? tokens * weightOf(index) : tokens;
    if (count > highestCount) {
      best = index;
      highestCount = count;
    }
    if (highestCount === queryTokens.size) break;
  }
  return best;
}

interface TokenCounter {
  /** The number of distinct query tokens in a line. */
  tokensIn(line: string): number;
  /** All lines of a text that may have query tokens. */
  candidates(text: string, lines: readonly string[]): Iterable<Candidate>;
}

interface Candidate {
  /** The index of the line. */
  index: number;
  /** The most query tokens that it may have. */
  most: number;
}

/**
 * Counts the distinct query tokens in a line. A stem shares its first characters with its word, so
 * only words that share a prefix with a query token are tokenized. Lines with letters that folding
 * may turn into ASCII are tokenized whole if they have a prefix.
 */
function createTokenCounter(queryTokens: ReadonlySet<string>): TokenCounter {
  const countAll = (line: string): number => matchesIn(line, queryTokens).size;
  const tokens = [...queryTokens];
  if (!tokens.every((token) => isPlain(token) || isSpacelessScript(token))) {
    return { tokensIn: countAll, candidates: (_text, lines) => allLines(lines, tokens.length) };
  }
  const tokensByPrefix = groupBy(tokens, (token) =>
    isPlain(token) ? token.slice(0, Math.min(Math.max(token.length - 1, 2), 4)) : token,
  );
  const prefixes = [...tokensByPrefix.keys()];
  const otherLetters = tokens.every(isPlain) ? foldableLetters : nonLatinLetters;
  return {
    tokensIn(line) {
      const isFolded = otherLetters.test(line);
      const lowerCaseLine = isFolded ? foldText(line) : line.toLowerCase();
      if (!includesAny(lowerCaseLine, prefixes)) return 0;
      if (isFolded) return countAll(line);
      const hasNames = nameInParts.test(line);
      const matches = new Set<string>();
      for (const prefix of prefixes) {
        for (const { start, end } of wordsWithPrefix(prefix, lowerCaseLine, hasNames)) {
          const word = line.slice(start, end);
          if (hasNames && nameInParts.test(word)) matchesIn(word, queryTokens, matches);
          else {
            const stem = stemOf(lowerCaseLine.slice(start, end));
            if (queryTokens.has(stem)) matches.add(stem);
          }
        }
      }
      return matches.size;
    },
    candidates(text, lines) {
      if (otherLetters.test(text)) return allLines(lines, tokens.length);
      const parts = [...tokensByPrefix].map(([part, { length }]) => ({ part, tokens: length }));
      return linesWithParts(text.toLowerCase(), lines, parts);
    },
  };
}

function* allLines(lines: readonly string[], most: number): Generator<Candidate> {
  for (const index of lines.keys()) yield { index, most };
}

/**
 * The lines with one of these parts. Most lines have none, and searching the text as a whole is
 * faster than searching each line. `text` has the same length as the lines' text.
 */
function* linesWithParts(
  text: string,
  lines: readonly string[],
  parts: readonly { part: string; tokens: number }[],
): Generator<Candidate> {
  const found = parts.map((part) => ({ ...part, at: text.indexOf(part.part) }));
  let start = 0;
  for (const [index, { length }] of lines.entries()) {
    const end = start + length;
    let most = 0;
    for (const next of found) {
      if (next.at >= 0 && next.at < start) next.at = text.indexOf(next.part, start);
      if (next.at >= 0 && next.at < end) most += next.tokens;
    }
    if (most > 0) yield { index, most };
    start = end + (text.startsWith("\r\n", end) ? 2 : 1);
  }
}

const isPlain = (token: string): boolean => /^[a-z0-9_]+$/.test(token);

function matchesIn(
  text: string,
  queryTokens: ReadonlySet<string>,
  matches = new Set<string>(),
): Set<string> {
  for (const { form } of tokensWithOffsets(text)) if (queryTokens.has(form)) matches.add(form);
  return matches;
}

const includesAny = (line: string, parts: readonly string[]): boolean =>
  parts.some((part) => line.includes(part));

/** The words with a prefix, or with it anywhere: a part of a name may begin there. */
function* wordsWithPrefix(
  prefix: string,
  line: string,
  isAnywhere: boolean,
): Generator<{ start: number; end: number }> {
  for (let at = line.indexOf(prefix); at >= 0; at = line.indexOf(prefix, at + 1)) {
    let start = at;
    while (isAsciiWordChar(line.charCodeAt(start - 1))) start--;
    if (start < at && !isAnywhere) continue;
    let end = at + prefix.length;
    while (isAsciiWordChar(line.charCodeAt(end))) end++;
    yield { start, end };
    if (isAnywhere) at = end;
  }
}

/** Excludes the blocks of punctuation, arrows and symbols, which are common in English text. */
const nonLatinLetters = /[\u00c0-\u1fff\u2c00-\uffff]/;

/**
 * The same without the usual characters of Chinese, Japanese and Korean text, which folding leaves
 * as they are or turns into punctuation: between them, ASCII words stand alone.
 */
const foldableLetters =
  /[\u00c0-\u1fff\u2c00-\u2fff\u3004-\u3007\u3012-\u3040\u3097-\u30a0\u30fb\u30fd-\u33ff\u4dc0-\u4dff\ua000-\uabff\ud7a4-\uff00\uff10-\uff19\uff21-\uff3a\uff3f\uff41-\uff5a\uff61-\uffff]/;

/** Names whose parts may match: `getUser`, `get_user`, `HTTPServer`. */
const nameInParts = /[a-z0-9][A-Z]|[A-Z][A-Z][a-z]|_/;

/** A window of a long line around its first query token, cut between words and marked with `…`. */
function windowAround(line: string, queryTokens: ReadonlySet<string>, length: number): string {
  const first = firstMatchOffset(line, queryTokens);
  const room = length - 2 * ellipsis.length;
  const from = Math.max(0, Math.min(first - Math.floor(room / 4), line.length - room));
  const start = from === 0 ? 0 : Math.min(afterSpace(line, from), Math.max(first, from));
  const to = Math.min(start + room, line.length);
  const end = to === line.length ? to : beforeSpace(line, to);
  const shown = trimSurrogateHalves(line.slice(start, end));
  return `${start > 0 ? ellipsis : ""}${shown}${end < line.length ? ellipsis : ""}`;
}

const ellipsis = "…";

/** Longer words, and text without spaces, are cut anywhere. */
const maxWordLength = 30;

/** The start of the next word, unless it is far. */
function afterSpace(line: string, at: number): number {
  const space = line.slice(at - 1, at + maxWordLength).search(/\s(?=\S)/);
  return space < 0 ? at : at + space;
}

/** The end of the last whole word before an offset, unless it is far. */
function beforeSpace(line: string, at: number): number {
  const from = Math.max(0, at - maxWordLength);
  const space = line.slice(from, at + 1).search(/\s+\S*$/);
  return space <= 0 ? at : from + space;
}

function firstMatchOffset(line: string, queryTokens: ReadonlySet<string>): number {
  for (const { form, start } of tokensWithOffsets(line)) if (queryTokens.has(form)) return start;
  return 0;
}
