import { stemmer } from "stemmer";

/** A piece of a text as the index compares it, and where it stands in UTF-16 units. */
export interface Token {
  form: string;
  start: number;
  end: number;
}

/**
 * The index words of a text, in order. They are cut here and not by an engine, so that every
 * engine ranks alike: folded case and accents, English stems, and pairs of letters where a script
 * does not put spaces between words.
 *
 * ```
 * "Running 東京都"  →  run 東京 京都
 * ```
 */
export function tokensOf(text: string): string[] {
  const forms: string[] = [];
  for (const word of fold(text).match(words) ?? []) {
    if (isSpaceless.test(word)) forms.push(...pairsOf(word));
    else forms.push(stem(word));
  }
  return forms;
}

/** The same with their places, for marking what was found. */
export function* placedTokens(text: string): Generator<Token> {
  for (const { 0: word, index } of text.matchAll(words)) {
    let start = index;
    for (const piece of isSpaceless.test(word) ? pairsOf(word) : [word]) {
      yield { form: stem(fold(piece)), start, end: start + piece.length };
      start += [...piece][0]?.length ?? 0;
    }
  }
}

const spaceless =
  "\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Hang}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}ー";
const words = new RegExp(`[${spaceless}]+|(?:(?![${spaceless}])[\\p{L}\\p{N}\\p{M}_])+`, "gu");
const isSpaceless = new RegExp(`^[${spaceless}]`, "u");

/** Text that is all ASCII, the common case, needs only its case folded. */
function fold(text: string): string {
  const lower = text.toLowerCase();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII itself
  if (/^[\u0000-\u007f]*$/.test(lower)) return lower;
  return lower
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC");
}

/** `東京都` → `東京`, `京都`; a letter alone is itself. */
function pairsOf(run: string): string[] {
  const letters = [...run];
  if (letters.length === 1) return letters;
  return letters.slice(1).map((letter, place) => `${letters[place]}${letter}`);
}

const stem = (word: string): string => (/^[a-z]{4,}$/.test(word) ? stemmer(word) : word);
