import type { Query } from "./contract.ts";

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
