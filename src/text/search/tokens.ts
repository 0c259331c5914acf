import { elementAt } from "../arrays/element-at.ts";
import { splitsSurrogatePair } from "../strings/surrogates.ts";
import { foldText, foldWithBoundaries } from "./folded-text.ts";
import { isCaseBoundary, partsOfName } from "./identifiers.ts";
import { stemOf } from "./stems.ts";
import { canStartSymbol, suffixEnd, symbolEnd } from "./symbols.ts";

/** An index token with its range in the text, in UTF-16 units. */
export interface Token {
  form: string;
  start: number;
  end: number;
  /** Whether it is a part of a name: `user` in `getUserProfile`. */
  isPart: boolean;
}

/** A word of a text or a symbol, with its place among the words. */
export interface TextWord {
  /** Folded, not stemmed; for scripts without spaces a run of characters. */
  word: string;
  /** The place of its first token. A symbol has that of the word it stands with or before. */
  position: number;
  /** The folded parts of a name; a word without parts has none. */
  parts: string[];
  isSymbol: boolean;
}

/**
 * The index tokens of a text, in order: words with folded case and accents, reduced to stems, and
 * character bigrams for scripts without spaces. Tokenizing here instead of in the search engine
 * gives the same ranking with every engine.
 *
 * ```
 * "Running 東京都"  →  run 東京 京都
 * ```
 */
export function tokenize(text: string): string[] {
  return tokenizeWords(splitWords(text));
}

/** `tokenize` for words that are already split. */
export function tokenizeWords(words: readonly string[]): string[] {
  const tokens: string[] = [];
  for (const word of words) {
    if (isSpacelessScript(word)) for (const bigram of bigramsOf(word)) tokens.push(bigram);
    else tokens.push(stemOf(word));
  }
  return tokens;
}

/** The words and symbols of a text in the order of their positions. */
export function* scanWords(source: string): Generator<TextWord> {
  const { text, caseBoundaries } = foldWithBoundaries(source);
  const codeAt = (at: number): number => (at < 0 || at >= text.length ? 0 : text.charCodeAt(at));
  const symbol = (start: number, end: number): TextWord => ({
    word: text.slice(start, end),
    position,
    parts: [],
    isSymbol: true,
  });
  let position = 0;
  for (let at = 0; at < text.length; ) {
    const start = at;
    at = wordEnd(text, start);
    if (at === start) {
      const end = canStartSymbol(codeAt(start)) ? symbolEnd(codeAt, start) : start;
      if (end > start) yield symbol(start, end);
      at = nextCharacter(text, at);
      continue;
    }
    const word = text.slice(start, at);
    if (isSpacelessScript(word)) {
      yield { word, position, parts: [], isSymbol: false };
      position += bigramsOf(word).length;
      continue;
    }
    const mayHaveParts = caseBoundaries.size > 0 || word.includes("_");
    const names = mayHaveParts
      ? partsOfName(codeAt, (place) => caseBoundaries.has(place), start, at).map((part) =>
          text.slice(part.start, part.end),
        )
      : [];
    yield { word, position, parts: names, isSymbol: false };
    const end = suffixEnd(codeAt, start, at);
    if (end > at) yield symbol(start, end);
    position++;
  }
}

/** The folded words of a text, not stemmed. */
export function splitWords(text: string): string[] {
  const folded = foldText(text);
  const words: string[] = [];
  for (let at = 0; at < folded.length; ) {
    const start = at;
    // Fast path for ASCII.
    while (isAsciiWordChar(folded.charCodeAt(at))) at++;
    if (folded.charCodeAt(at) >= 0x80) at = wordEnd(folded, start);
    if (at > start) words.push(folded.slice(start, at));
    else at = nextCharacter(folded, at);
  }
  return words;
}

/** The end of the run of characters of one class; `start` itself for a separator. */
function wordEnd(text: string, start: number): number {
  const first = charClassAt(text, start);
  let at = start;
  for (let kind = first; kind === first && kind !== separatorClass; ) {
    at = nextCharacter(text, at);
    kind = charClassAt(text, at);
  }
  return at;
}

/** The end of a text counts as a separator. */
function charClassAt(text: string, offset: number): number {
  const code = text.codePointAt(offset);
  return code === undefined ? separatorClass : charClassOf(code);
}

const nextCharacter = (text: string, offset: number): number =>
  splitsSurrogatePair(text, offset + 1) ? offset + 2 : offset + 1;

/**
 * The tokens of a text with their ranges, for highlighting matches: those of `tokenize`, each
 * followed by the parts of its name, and symbols. A symbol is reported before its word.
 */
export function* tokensWithOffsets(text: string): Generator<Token> {
  const codeAt = (at: number): number => lowerCaseCode(text, at);
  let done = 0;
  for (const { 0: word, index } of text.matchAll(anyWord)) {
    yield* symbolsBetween(done, index);
    done = index + word.length;
    if (isSpacelessScript(word)) {
      let start = index;
      for (const piece of bigramsOf(word)) {
        yield { form: foldText(piece), start, end: start + piece.length, isPart: false };
        start = nextCharacter(text, start);
      }
      continue;
    }
    const suffix = suffixEnd(codeAt, index, done);
    if (suffix > done) yield tokenAt(index, suffix);
    yield { form: stemOf(foldText(word)), start: index, end: done, isPart: false };
    for (const part of partsOfName(codeAt, (at) => isCaseBoundary(text, at), index, done)) {
      const form = stemOf(foldText(text.slice(part.start, part.end)));
      yield { form, ...part, isPart: true };
    }
  }
  yield* symbolsBetween(done, text.length);

  function tokenAt(start: number, end: number): Token {
    return { form: foldText(text.slice(start, end)), start, end, isPart: false };
  }

  function* symbolsBetween(from: number, to: number): Generator<Token> {
    for (let start = from; start < to; start++) {
      const end = canStartSymbol(codeAt(start)) ? symbolEnd(codeAt, start) : start;
      if (end > start) yield tokenAt(start, end);
    }
  }
}

/** The UTF-16 unit at an offset, in lower case if it is an ASCII letter; 0 outside of the text. */
function lowerCaseCode(text: string, at: number): number {
  if (at < 0 || at >= text.length) return 0;
  const code = text.charCodeAt(at);
  return code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
}

const spaceless =
  "\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Hang}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}ー";
const word = `[${spaceless}]+|(?:(?![${spaceless}])[\\p{L}\\p{N}\\p{M}_])+`;
const anyWord = new RegExp(word, "gu");
const isWord = new RegExp(`^(?:${word})$`, "u");
const beginsSpaceless = new RegExp(`^[${spaceless}]`, "u");

/** Whether a word is written in a script without spaces between words. */
export const isSpacelessScript = (word: string): boolean =>
  word.charCodeAt(0) >= 0x80 && beginsSpaceless.test(word);

/** A lower-case ASCII letter, a digit or an underscore. */
export const isAsciiWordChar = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x5f;

/** Characters that are not part of a word. */
export const separatorClass = 1;
/** Word characters of scripts with spaces between words. */
export const spacedLetterClass = 2;
/** Word characters of scripts without spaces between words. */
export const spacelessLetterClass = 3;

/** The character class of a code point. */
export const charClassOf = (code: number): number => charClasses[code] || classifyChar(code);

/** By code point, computed on first use; 0 means not computed yet. */
const charClasses = new Uint8Array(0x110000);

function classifyChar(code: number): number {
  const char = String.fromCodePoint(code);
  const kind = !isWord.test(char)
    ? separatorClass
    : isSpacelessScript(char)
      ? spacelessLetterClass
      : spacedLetterClass;
  charClasses[code] = kind;
  return kind;
}

/** `東京都` → `東京`, `京都`; a single character is returned as is. */
function bigramsOf(run: string): string[] {
  const chars = [...run];
  if (chars.length === 1) return chars;
  return chars.slice(1).map((char, index) => elementAt(chars, index) + char);
}
