import { stemmer as arabic } from "@orama/stemmers/arabic";
import { stemmer as english } from "@orama/stemmers/english";
import { stemmer as greek } from "@orama/stemmers/greek";
import { stemmer as hindi } from "@orama/stemmers/indian";
import { stemmer as russian } from "@orama/stemmers/russian";

/**
 * The stem under which a folded word is kept. Its letters alone decide which rules are used: a
 * query is too short to tell its language, and it must come to the same stems as the documents.
 */
export function stemOf(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  if (word.length > longestWord) return word;
  const stem = rulesFor(word)?.(word) || word;
  if (stems.size >= mostStems) stems.clear();
  stems.set(detached(word), detached(stem));
  return stem;
}

/** No language inflects longer ones, and some of the rules take the square of a word's length. */
const longestWord = 64;

/** A text says most of its words again and again, and the rules are slow. */
const stems = new Map<string, string>();
const mostStems = 200_000;

/**
 * A word that was cut from a text keeps the whole text in memory as long as it lives. This copy
 * does not, so whoever remembers words for long remembers copies.
 */
const detached = (word: string): string => ` ${word}`.slice(1);

function rulesFor(word: string): ((word: string) => string) | undefined {
  if (/^[a-z]{4,}$/.test(word)) return isSingular.test(word) ? undefined : english;
  const first = word.charCodeAt(0);
  if (first < 0x370 || word.length < 4) return undefined;
  return scripts.find(({ from, to }) => first >= from && first <= to)?.rules;
}

/**
 * Singulars that the rules take for plurals: `virus` would become `viru`, and `viruses` then `virus`.
 */
const isSingular = /[^o]us$|^(?:lens|bias|atlas|canvas|alias|chaos|texas|pancreas|cosmos)$/;

const scripts = [
  { from: 0x370, to: 0x3ff, rules: greek },
  { from: 0x400, to: 0x4ff, rules: russian },
  { from: 0x600, to: 0x6ff, rules: arabic },
  { from: 0x900, to: 0x97f, rules: hindi },
];
