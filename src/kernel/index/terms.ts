import type { Query } from "../../text/query.ts";
import { isSpaceless, tokensOf, wordsOf } from "../../text/tokens.ts";
import type { PostingColumns } from "./postings.ts";
import type { Reading, Term } from "./ranking.ts";
import type { Spelling, Vocabulary } from "./vocabulary.ts";

/** Every term is looked up and walked through, so a page pasted as a query is cut to its beginning. */
const mostTerms = 64;

/** Spellings beyond these say little of what was meant. */
const mostSpellings = 24;

export type ReadPostings = (token: string) => PostingColumns;

/** A letter alone may stand in very many pairs; these are the first of them. */
const mostPairs = 500;

/**
 * The terms of a query with their postings. A word that nobody wrote is read as the beginning of
 * one, and else as a slip of the finger; a word that somebody wrote is never second-guessed.
 */
export function termsOf(
  query: Query,
  vocabulary: Vocabulary,
  read: ReadPostings,
  pairsWith: (letter: string) => readonly string[],
): Term[] {
  const terms = new Map<string, Term>();
  const isOfLetters = [...query.words, ...query.phrases].flatMap(wordsOf).every(isLetter);
  for (const written of query.beginnings) {
    const words = wordsOf(written);
    const start = words.pop() ?? "";
    addAll(words);
    if (terms.size < mostTerms) terms.set(start, spelt(start, begunWith(start)));
  }
  addAll([...query.words, ...query.phrases]);
  if (![...terms.values()].some(isFound)) addAll(query.fillers);
  return [...terms.values()];

  function addAll(pieces: readonly string[]): void {
    for (const word of pieces.flatMap(wordsOf)) {
      for (const token of tokensOf(word)) {
        if (terms.has(token) || terms.size >= mostTerms) continue;
        const term = { word, readings: readingsOf(token) };
        terms.set(token, isFound(term) ? term : (readAnew(word) ?? term));
      }
    }
  }

  /**
   * Of a script without spaces pairs are kept. Who asks for nothing but letters means all that have
   * them; beside other words, as the year in `2020年`, a letter stands for itself.
   */
  function readingsOf(token: string): Reading[] {
    const isWide = isOfLetters && isLetter(token);
    const tokens = isWide ? [token, ...pairsWith(token).slice(0, mostPairs)] : [token];
    return [...new Set(tokens)].map((one) => ({ closeness: 1, postings: read(one) }));
  }

  /** Numbers and the shortest words are in no vocabulary, yet they begin with themselves. */
  function begunWith(start: string): Spelling[] {
    const begun = vocabulary.beginningWith(start);
    const isWhole = tokensOf(start)[0] === start && begun[0]?.word !== start;
    return isWhole ? [{ word: start, token: start, closeness: 1 }, ...begun] : begun;
  }

  function readAnew(word: string): Term | undefined {
    if (isSpaceless(word)) return undefined;
    const begun = spelt(word, vocabulary.beginningWith(word));
    if (isFound(begun)) return begun;
    for (const spellings of vocabulary.near(word)) {
      const near = spelt(word, spellings);
      if (isFound(near)) return near;
    }
    return undefined;
  }

  /** Several words may have one stem, and of a removed document's words nothing may be left. */
  function spelt(word: string, spellings: readonly Spelling[]): Term {
    const readings = new Map<string, Required<Reading>>();
    let found = 0;
    for (const { token, closeness, word: spelling } of spellings) {
      const known = readings.get(token);
      const postings = known?.postings ?? read(token);
      if (postings.count === 0) continue;
      readings.set(token, {
        postings,
        closeness: Math.max(known?.closeness ?? 0, closeness),
        spellings: [...(known?.spellings ?? []), spelling],
      });
      if (++found >= mostSpellings) break;
    }
    return { word, readings: [...readings.values()] };
  }
}

const isLetter = (word: string): boolean => isSpaceless(word) && [...word].length === 1;

const isFound = ({ readings }: Term): boolean =>
  readings.some(({ postings }) => postings.count > 0);
