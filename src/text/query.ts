import { isFunctionWord } from "./function-words.ts";
import { isSpaceless, tokensOf, wordsOf } from "./tokens.ts";

/** What somebody looks for: words that may match, phrases that must, and what must not be there. */
export interface Query {
  words: readonly string[];
  /** Function words, which count only where nothing else is found. */
  fillers: readonly string[];
  /** Beginnings of words, any of which may match. */
  beginnings: readonly string[];
  phrases: readonly string[];
  without: readonly string[];
}

/**
 * Reads a query as people write it: `"an exact phrase"` must be there, `-word` and `-"a phrase"`
 * must not, `gramm*` is the beginning of a word, every other word may match. A quote that is never closed is an ordinary character.
 */
export function readQuery(written: string): Query {
  const words: string[] = [];
  const fillers: string[] = [];
  const beginnings: string[] = [];
  const phrases: string[] = [];
  const without: string[] = [];
  // Two hyphens begin an option of a program, which people look for as they type it.
  const pieces = /(^|\s)(-(?!-))?(?:"([^"]*)"|(\S+))/gu;
  for (const [, , minus, quoted, bare] of written.matchAll(pieces)) {
    const piece = (quoted ?? bare ?? "").trim();
    if (piece === "") continue;
    if (minus) without.push(piece);
    else if (quoted !== undefined) phrases.push(piece);
    else if (isBeginning(piece)) beginnings.push(piece.slice(0, -1));
    else if (wordsOf(piece).every(isFunctionWord)) fillers.push(piece);
    else words.push(piece);
  }
  return { words, fillers, beginnings, phrases, without };
}

/** The index words that a query hopes to find. */
export function wantedTokens({ words, fillers, beginnings, phrases }: Query): Set<string> {
  const told = [...words, ...beginnings, ...phrases];
  return new Set(tokensOf((told.length > 0 ? told : fillers).join(" ")));
}

/** Pairs of letters find a word of a script without spaces by any part of it, star or no star. */
const isBeginning = (piece: string): boolean =>
  /[\p{L}\p{N}]\*$/u.test(piece) && !isSpaceless(wordsOf(piece).at(-1) ?? "");
