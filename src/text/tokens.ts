import { fold } from "./folding.ts";
import { stemOf } from "./stems.ts";

/** A piece of a text as the index compares it, and where it stands in UTF-16 units. */
export interface Token {
  form: string;
  start: number;
  end: number;
}

/**
 * The index words of a text, in order. They are cut here and not by an engine, so that every
 * engine ranks alike: folded case and accents, stems, and pairs of letters where a script does
 * not put spaces between words.
 *
 * ```
 * "Running 東京都"  →  run 東京 京都
 * ```
 */
export function tokensOf(text: string): string[] {
  return tokensOfWords(wordsOf(text));
}

/** The same for words that were cut before. */
export function tokensOfWords(words: readonly string[]): string[] {
  const forms: string[] = [];
  for (const word of words) {
    if (isSpaceless(word)) for (const pair of pairsOf(word)) forms.push(pair);
    else forms.push(stemOf(word));
  }
  return forms;
}

/** The words of a text, folded but whole: what somebody may have meant to type. */
export function wordsOf(text: string): string[] {
  const folded = fold(text);
  const found: string[] = [];
  for (let at = 0; at < folded.length; ) {
    const start = at;
    // Nearly all is plain ASCII.
    while (isPlain(folded.charCodeAt(at))) at++;
    if (folded.charCodeAt(at) >= 0x80) at = wordEnd(folded, start);
    if (at > start) found.push(folded.slice(start, at));
    else at += (folded.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }
  return found;
}

/** Where the letters of the kind that stands first come to an end. */
function wordEnd(text: string, start: number): number {
  const first = kindOf(text.codePointAt(start) ?? 0);
  let at = start;
  for (let kind = first; kind === first && kind !== gap; ) {
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
    kind = at < text.length ? kindOf(text.codePointAt(at) ?? 0) : gap;
  }
  return at;
}

/** The same as `tokensOf`, with their places, for marking what was found. */
export function* placedTokens(text: string): Generator<Token> {
  for (const { 0: word, index } of text.matchAll(anyWord)) {
    let start = index;
    for (const piece of isSpaceless(word) ? pairsOf(word) : [word]) {
      yield { form: stemOf(fold(piece)), start, end: start + piece.length };
      start += [...piece][0]?.length ?? 0;
    }
  }
}

const spaceless =
  "\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Hang}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}ー";
const word = `[${spaceless}]+|(?:(?![${spaceless}])[\\p{L}\\p{N}\\p{M}_])+`;
const anyWord = new RegExp(word, "gu");
const isWord = new RegExp(`^(?:${word})$`, "u");
const beginsSpaceless = new RegExp(`^[${spaceless}]`, "u");

/** Whether a word is a run of letters of a script that puts no spaces between words. */
export const isSpaceless = (word: string): boolean =>
  word.charCodeAt(0) >= 0x80 && beginsSpaceless.test(word);

/** A letter or digit of folded ASCII, or the underscore. */
export const isPlain = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x5f;

/** A letter, given by its code point, that is no part of a word. */
export const gap = 1;
/** One of a word that has gaps around it. */
export const spacedLetter = 2;
/** One of a script that puts no spaces between words. */
export const spacelessLetter = 3;

/** Which of the three a letter is. */
export const kindOf = (code: number): number => kinds[code] || look(code);

/** By code point; zero for one that was not met yet. */
const kinds = new Uint8Array(0x110000);

function look(code: number): number {
  const letter = String.fromCodePoint(code);
  const kind = !isWord.test(letter) ? gap : isSpaceless(letter) ? spacelessLetter : spacedLetter;
  kinds[code] = kind;
  return kind;
}

/** `東京都` → `東京`, `京都`; a letter alone is itself. */
function pairsOf(run: string): string[] {
  const letters = [...run];
  if (letters.length === 1) return letters;
  const pairs: string[] = [];
  for (let place = 1; place < letters.length; place++) {
    pairs.push(`${letters[place - 1]}${letters[place]}`);
  }
  return pairs;
}
