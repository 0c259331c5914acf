import { createVisibilityCheck } from "../../../kernel/home/scoped-config.ts";
import type { Match } from "../../../kernel/index/search-index.ts";
import type { Note } from "../../../kernel/operations/note.ts";
import type { Steps } from "../../../kernel/storage/steps.ts";
import { isEnglish } from "../../../text/language/english.ts";
import { parseQuery } from "../../../text/search/query.ts";
import { splitWords } from "../../../text/search/tokens.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import type { SearchState } from "../state.ts";
import { findDocumentById } from "../storage.ts";
import { correctedWords } from "./search-hits.ts";

/** More spellings would make a note unreadable. */
const maxSpellingsShown = 3;

/**
 * Notes on words that no document contains, or hardly any, for which similar words were searched.
 * Only the spellings in matches that the caller may see are named. A word with `*` is meant as a
 * prefix.
 */
export function* spellingNotes(
  state: SearchState,
  queries: readonly string[],
  matches: readonly Match[],
  minScore: number,
): Steps<Note[]> {
  // Most queries have no such words, and the check of what is shown reads the configuration.
  const respelled = matches.filter(({ words }) => words.some(({ read }) => read !== undefined));
  if (respelled.length === 0) return [];
  const isPrefix = createPrefixTest(queries);
  const isShown = createVisibilityCheck(state);
  const spellings = new Map<string, Set<string>>();
  const rareWords = new Set(
    respelled.flatMap(({ words }) => words.flatMap(({ word, rare }) => (rare ? word : []))),
  );
  for (const { document, score, words } of respelled) {
    const corrected = correctedWords(words, isPrefix);
    if (corrected.length === 0 || score < minScore) continue;
    const found = yield* findDocumentById(document);
    if (!found || !isShown(found)) continue;
    for (const { word, read } of corrected) {
      spellings.set(word, new Set([...(spellings.get(word) ?? []), ...read]));
    }
  }
  return [...spellings].map(([word, all]) => {
    const read = [...all].slice(0, maxSpellingsShown).map(toPrintable);
    const emphasized = read.map((spelling) => `*${spelling}*`).join(", ");
    const exactly = `"${toPrintable(word)}"`;
    const message = rareWords.has(word)
      ? `Also showing results for ${emphasized}. Search for ${exactly} in quotes to leave them out.`
      : `Showing results for ${emphasized}. Search for exactly ${exactly} instead.`;
    return { kind: "spelling" as const, message, word, read };
  });
}

/** Whether a word was typed as a prefix, with `*`. */
export function createPrefixTest(queries: readonly string[]): (word: string) => boolean {
  const starred = queries.filter((query) => query.includes("*"));
  const prefixes = starred.flatMap((query) => parseQuery(query).prefixes);
  const words = new Set(prefixes.map((prefix) => splitWords(prefix).at(-1)));
  return (word) => words.has(word);
}

/** A query that only excludes words finds nothing. */
export function onlyExclusionNotes(query: string): Note[] {
  if (!query.includes("-")) return [];
  const { words, functionWords, prefixes, phrases, excluded } = parseQuery(query);
  const wanted = [...words, ...functionWords, ...prefixes, ...phrases];
  if (excluded.length === 0 || wanted.length > 0) return [];
  return [
    { kind: "exclusion", message: "The query only excludes words. Add a word to search for." },
  ];
}

/** Semantic search cannot exclude words, because it compares the query as a whole. */
export function exclusionNotes(queries: readonly string[]): Note[] {
  const excluded = [...new Set(queries.flatMap((query) => parseQuery(query).excluded))];
  if (excluded.length === 0) return [];
  const shown = excluded.map((word) => (/\s/.test(word) ? `-"${word}"` : `-${word}`)).join(" ");
  return [
    {
      kind: "exclusion",
      message: `${shown} has no effect on semantic search. To exclude words, use keyword search.`,
      excluded,
    },
  ];
}

/** A query in a language that the embedding model does not support yields unrelated passages. */
export function languageNotes({ models }: SearchState, query: string): Note[] {
  if (models.embedder.languages !== "english" || isEnglish(query)) return [];
  return [
    {
      kind: "language",
      message:
        "The embedding model supports only English, and the query is not in English, so results may be unrelated. Use keyword search, or configure a multilingual model.",
    },
  ];
}
