import { tokensOf } from "./tokens.ts";

/** What somebody looks for: words that may match, phrases that must, and what must not be there. */
export interface Query {
  words: readonly string[];
  phrases: readonly string[];
  without: readonly string[];
}

/**
 * Reads a query as people write it: `"an exact phrase"` must be there, `-word` and `-"a phrase"`
 * must not, every other word may. A quote that is never closed is an ordinary character.
 */
export function readQuery(written: string): Query {
  const query = { words: [] as string[], phrases: [] as string[], without: [] as string[] };
  const pieces = /(^|\s)(-?)(?:"([^"]*)"|(\S+))/gu;
  for (const [, , minus, quoted, bare] of written.matchAll(pieces)) {
    const words = (quoted ?? bare ?? "").trim();
    if (words === "") continue;
    if (minus) query.without.push(words);
    else if (quoted !== undefined) query.phrases.push(words);
    else query.words.push(words);
  }
  return query;
}

/** The index words that a query hopes to find. */
export const wantedTokens = ({ words, phrases }: Query): Set<string> =>
  new Set(tokensOf([...words, ...phrases].join(" ")));
