import type { Narrowing } from "./filters.ts";

interface Wish extends Narrowing {
  query: string;
}

/**
 * What a search costs is known only afterwards, so it is guessed from what makes searches slow: how
 * many results are wanted, and how much of the index each part of the query looks through. Words are
 * cheap, beginnings stand for many words, and a phrase has every passage read that holds its words.
 */
export function isExpensive(wish: Wish, results: number, passages: number): boolean {
  if (Math.min(results, passages) > quickResults) return true;
  return passages * weightOf(wish) > quickWork;
}

/** So many results are made in a moment that nobody notices. */
const quickResults = 100;

/** The work of six words in 180,000 passages, which takes some tens of milliseconds. */
const quickWork = 1_100_000;

function weightOf({ query, path, filter, after, before }: Wish): number {
  const quotes = query.split('"').length - 1;
  const beginnings = query.split("*").length - 1;
  const filters = [path, filter, after, before].filter((given) => given !== undefined).length;
  // Six letters make a word, in scripts without spaces too, where each pair of letters is one.
  return query.length / 6 + 5 * quotes + 3 * beginnings + 10 * filters;
}
