import type { SearchFilters } from "./filters.ts";

interface SearchRequest extends SearchFilters {
  query: string;
}

/**
 * Estimates whether a search is expensive, from the number of results and the parts of the query.
 * Words are cheap, a prefix matches many words, and a phrase needs every passage with its words.
 */
export function isExpensiveSearch(
  request: SearchRequest,
  results: number,
  passages: number,
): boolean {
  if (Math.min(results, passages) > maxCheapResults) return true;
  return passages * estimateWeight(request) > maxCheapWork;
}

/** Building this many results takes a negligible time. */
const maxCheapResults = 100;

/** Six words in 180,000 passages, which takes tens of milliseconds. */
const maxCheapWork = 1_100_000;

function estimateWeight({ query, path, filter, after, before }: SearchRequest): number {
  const quotes = query.split('"').length - 1;
  const prefixes = query.split("*").length - 1;
  const filters = [path, filter, after, before].filter((value) => value !== undefined).length;
  // A word has about six characters. In scripts without spaces, words are bigrams.
  return query.length / 6 + 5 * quotes + 3 * prefixes + 10 * filters;
}
