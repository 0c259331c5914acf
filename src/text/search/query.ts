import { isFunctionWord } from "./function-words.ts";
import { isSpacelessScript, scanWords, splitWords, tokenize } from "./tokens.ts";

/** A parsed search query. */
export interface Query {
  /** Optional words: a document that contains more of them ranks higher. */
  words: readonly string[];
  /** Function words, which decide only if the query has nothing else. */
  functionWords: readonly string[];
  /** Optional word prefixes. */
  prefixes: readonly string[];
  /** Required exact phrases. */
  phrases: readonly string[];
  /** Words and phrases that must not occur. */
  excluded: readonly string[];
  /** Words, function words and phrases as they follow one another; empty if their order is chance. */
  sequence: readonly string[];
}

/** With more words than these beside its quotes, a query is a pasted sentence. */
const maxWordsBesideQuotes = 4;

/**
 * Parses the query syntax: `"an exact phrase"` is required, `-word` and `-"a phrase"` are excluded,
 * `gramm*` is a prefix, other words are optional. An unclosed quote is an ordinary character.
 *
 * Quotes in a pasted sentence, such as an error message, name what it speaks of. They are required
 * of no document, because the name in the user's message is seldom that of the document.
 */
export function parseQuery(source: string): Query {
  const words: string[] = [];
  const functionWords: string[] = [];
  const prefixes: string[] = [];
  const phrases: string[] = [];
  const excluded: string[] = [];
  const sequence: string[] = [];
  // Two hyphens, or one before a single letter, start a command-line option, which is searched for
  // and not excluded.
  const pieces = [...source.matchAll(/(^|\s)(-(?![->]|[A-Za-z](?:\s|$)))?(?:"([^"]*)"|(\S+))/gu)];
  const wordsBesideQuotes = pieces.filter(([, , , quoted]) => quoted === undefined).length;
  const requiresQuotes = wordsBesideQuotes <= maxWordsBesideQuotes;
  for (const [, , minus, quoted, bare] of pieces) {
    const piece = (quoted ?? bare ?? "").trim();
    if (piece === "") continue;
    if (minus) excluded.push(piece);
    else if (quoted === undefined && isPrefixTerm(piece)) prefixes.push(piece.slice(0, -1));
    else {
      sequence.push(piece);
      if (quoted !== undefined && requiresQuotes) phrases.push(piece);
      else if (isFunctional(piece)) functionWords.push(piece);
      else words.push(piece);
    }
  }
  return { words, functionWords, prefixes, phrases, excluded, sequence };
}

/** Whether a piece has function words only. With a sign of code, as in `not()`, it is a name. */
function isFunctional(piece: string): boolean {
  if (/\w\(/.test(piece)) return false;
  return [...scanWords(piece)].every(({ word, isSymbol }) => !isSymbol && isFunctionWord(word));
}

/** The index tokens that a query matches, those of names in parts among them. */
export function queryTokens({ words, functionWords, prefixes, phrases }: Query): Set<string> {
  const significant = [...words, ...prefixes, ...phrases];
  const text = (significant.length > 0 ? significant : functionWords).join(" ");
  const tokens = new Set<string>();
  for (const { word, parts, isSymbol } of scanWords(text)) {
    const found = isSymbol ? [word] : tokenize(word);
    const named = parts.filter((part) => !isFunctionWord(part)).flatMap(tokenize);
    for (const token of [...found, ...named]) tokens.add(token);
  }
  return tokens;
}

/** Scripts without spaces are indexed by bigrams, which match any part of a word without `*`. */
const isPrefixTerm = (piece: string): boolean =>
  /[\p{L}\p{N}]\*$/u.test(piece) && !isSpacelessScript(splitWords(piece).at(-1) ?? "");
