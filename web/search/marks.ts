import { stemmer } from "stemmer";

/** A run of text, and whether it is one of the words that were looked for. */
export interface Run {
  text: string;
  isMarked: boolean;
}

/**
 * The forms of the words that a query looks for; words after a minus are not among them.
 * A form is what the index compares: folded case and accents, the stem of an English word, and
 * pairs of letters in scripts without spaces.
 */
export function wantedForms(query: string): ReadonlySet<string> {
  const pieces = query.match(/-?"[^"]*"|\S+/g) ?? [];
  const wanted = pieces.filter((piece) => !piece.startsWith("-"));
  return new Set(wanted.flatMap((piece) => [...wordsIn(piece)].map(({ form }) => form)));
}

/**
 * Cuts a text at the borders of its wanted words.
 *
 * ```
 * "Two loans, one lent."  for  loan  →  "Two " [loans] ", one lent."
 * ```
 */
export function runsOf(text: string, wanted: ReadonlySet<string>): Run[] {
  const runs: Run[] = [];
  const add = (words: string, isMarked: boolean): void => {
    if (words !== "") runs.push({ text: words, isMarked });
  };
  let done = 0;
  for (const { start, end } of joined([...wordsIn(text)].filter(({ form }) => wanted.has(form)))) {
    add(text.slice(done, start), false);
    add(text.slice(start, end), true);
    done = end;
  }
  add(text.slice(done), false);
  return runs;
}

interface Word {
  form: string;
  start: number;
  end: number;
}

const spaceless =
  "\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Hang}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}ー";
const words = new RegExp(`[${spaceless}]+|(?:(?![${spaceless}])[\\p{L}\\p{N}\\p{M}_])+`, "gu");
const isSpaceless = new RegExp(`^[${spaceless}]`, "u");

function* wordsIn(text: string): Generator<Word> {
  for (const { 0: word, index: start } of text.matchAll(words)) {
    const letters = isSpaceless.test(word) ? [...word] : [word];
    let at = start;
    for (const [place, letter] of letters.entries()) {
      const pair = letter + (letters[place + 1] ?? "");
      if (place === 0 || pair !== letter) {
        yield { form: formOf(pair), start: at, end: at + pair.length };
      }
      at += letter.length;
    }
  }
}

function formOf(word: string): string {
  const folded = word
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC");
  return /^[a-z]{4,}$/.test(folded) ? stemmer(folded) : folded;
}

/** Words in the order of the text; pairs of letters that overlap become one. */
function joined(found: readonly Word[]): { start: number; end: number }[] {
  const spans: { start: number; end: number }[] = [];
  for (const { start, end } of found) {
    const last = spans.at(-1);
    if (last && start < last.end) last.end = end;
    else spans.push({ start, end });
  }
  return spans;
}
