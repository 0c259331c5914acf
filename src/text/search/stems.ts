import { stemmer as arabic } from "@orama/stemmers/arabic";
import { stemmer as english } from "@orama/stemmers/english";
import { stemmer as greek } from "@orama/stemmers/greek";
import { stemmer as hindi } from "@orama/stemmers/indian";
import { stemmer as russian } from "@orama/stemmers/russian";

/**
 * The stem under which a folded word is indexed. The script of the word selects the stemmer,
 * because a query is too short for language detection and must get the same stems as documents.
 */
export function stemOf(word: string): string {
  const cached = stemCache.get(word);
  if (cached !== undefined) return cached;
  const stem = computeStem(word);
  if (stemCache.size >= maxCachedStems) stemCache.clear();
  stemCache.set(copyString(word), copyString(stem));
  return stem;
}

/** `stemOf` without its cache, for callers that keep the stems of their words. */
export const computeStem = (word: string): string =>
  (word.length <= maxWordLength && rulesFor(word)?.(word)) || word;

/** Longer words are left alone: they are not inflected, and some stemmers take quadratic time. */
const maxWordLength = 64;

/** Stemming is slow, and most words of a text repeat. */
const stemCache = new Map<string, string>();
const maxCachedStems = 200_000;

/** V8 keeps the whole source string of a slice alive. A cache must therefore store copies. */
const copyString = (word: string): string => ` ${word}`.slice(1);

function rulesFor(word: string): ((word: string) => string) | undefined {
  if (/^[a-z]{4,}$/.test(word)) return singularPattern.test(word) ? undefined : english;
  const first = word.charCodeAt(0);
  if (first < 0x370 || word.length < 4) return undefined;
  return scripts.find(({ from, to }) => first >= from && first <= to)?.rules;
}

/** Singulars that the stemmer takes for plurals: `virus` would become `viru`. */
const singularPattern = /[^o]us$|^(?:lens|bias|atlas|canvas|alias|chaos|texas|pancreas|cosmos)$/;

const scripts = [
  { from: 0x370, to: 0x3ff, rules: greek },
  { from: 0x400, to: 0x4ff, rules: russian },
  { from: 0x600, to: 0x6ff, rules: arabic },
  { from: 0x900, to: 0x97f, rules: hindi },
];
