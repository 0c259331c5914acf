import { stemmer } from "stemmer";

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
  const tokens: string[] = [];
  for (const word of fold(text).match(words) ?? []) {
    if (!spaceless.test(word)) tokens.push(stem(word));
    else for (const run of word.match(runs) ?? []) addRun(run, tokens);
  }
  return tokens;
}

const words = /[\p{L}\p{N}\p{M}_]+/gu;
const spaceless =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;
const runs =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}ー]+|[^\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}ー]+/gu;

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

function addRun(run: string, tokens: string[]): void {
  if (!spaceless.test(run)) {
    tokens.push(stem(run));
    return;
  }
  const letters = [...run];
  if (letters.length === 1) tokens.push(run);
  for (let index = 0; index + 1 < letters.length; index++) {
    tokens.push(`${letters[index]}${letters[index + 1]}`);
  }
}

const stem = (word: string): string => (/^[a-z]{4,}$/.test(word) ? stemmer(word) : word);
