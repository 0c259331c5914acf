import { isFunctionWord, isStatement } from "../../../text/search/function-words.ts";
import type { Query } from "../../../text/search/query.ts";
import { spreadOperator } from "../../../text/search/symbols.ts";
import {
  isSpacelessScript,
  scanWords,
  splitWords,
  type TextWord,
  tokenize,
} from "../../../text/search/tokens.ts";
import type { PostingColumns } from "../segments/postings.ts";
import { onlyLetters, type Spelling, type SpellingSource } from "../spelling.ts";
import type { QueryTerm, TermVariant } from "./query-term.ts";

/** Each term costs a lookup and a scan of its postings, so a longer query is truncated. */
const maxTerms = 64;

/** More spellings of a word than these are unlikely to match what was meant. */
const maxSpellings = 24;

/** Shorter words begin so many others that none of them is likely meant. */
const minCompletedLength = 4;

/** A single character may occur in a great many bigrams; only the first of them are used. */
const maxBigrams = 500;

/** The parts of a name are not searched if this many passages have the name itself. */
const enoughPassages = 20;

/** A word of at least this length that so few passages have, and so many another, may be a typo. */
const minRareLength = 6;
const rarePassages = 3;
const frequentRatio = 20;

/** What a function word counts beside other words, compared with a word as rare as it in titles. */
const functionWordWeight = 0.05;

/** The same for those that are a statement of a programming language together. */
const statementWeight = 0.6;

export interface PostingSource {
  read(token: string): PostingColumns;
  readTitled(token: string): PostingColumns;
  /** The bigrams that contain a character. */
  termsContaining(char: string): readonly string[];
}

/**
 * The terms of a query with their postings, by token. A word that no document contains is treated as
 * a prefix of words and then as a typo; a word that some document contains is never corrected, but
 * a rare one is also searched as the far more frequent word one typo away, unless it is quoted. No
 * word is corrected to a function word. A rare name is searched within longer names and by its parts.
 * Beside other words, function words count little, and only in titles and headings: long texts
 * contain all of them.
 */
export function resolveQueryTerms(
  query: Query,
  vocabulary: SpellingSource,
  { read, readTitled, termsContaining }: PostingSource,
): Map<string, QueryTerm> {
  const terms = new Map<string, QueryTerm>();
  const isOnlyChars = [...query.words, ...query.phrases].flatMap(splitWords).every(isSingleChar);
  for (const text of query.prefixes) {
    const words = splitWords(text);
    const prefix = words.pop() ?? "";
    addAll(words);
    add(prefix, () => termOfSpellings(prefix, completionsOf(prefix)));
  }
  const typedPrefixes = new Set(terms.keys());
  addAll(query.words, withFrequentSpelling);
  addAll(query.phrases);
  dropShortCompletions();
  if ([...terms.values()].some(isFound)) addMinor(query.functionWords);
  else addAll(query.functionWords);
  return terms;

  function add(token: string, create: () => QueryTerm): void {
    if (!terms.has(token) && terms.size < maxTerms) terms.set(token, create());
  }

  /** Beside a word that is found as written, a short one is not searched as what it begins. */
  function dropShortCompletions(): void {
    if (![...terms.values()].some(isFoundAsWritten)) return;
    for (const [token, term] of terms) {
      const isCompleted = !typedPrefixes.has(token) && isFound(term) && !isFoundAsWritten(term);
      if (isCompleted && term.word.length < minCompletedLength)
        terms.set(token, { word: term.word, variants: [] });
    }
  }

  function addAll(texts: readonly string[], extend = (term: QueryTerm) => term): void {
    for (const text of texts) {
      if (text === spreadOperator) addSymbol(text, false);
      const items = [...scanWords(text)];
      const hasWords = items.some(({ isSymbol }) => !isSymbol);
      for (const item of items) {
        const create = (token: string): QueryTerm => {
          const term = resolve(item.word, token);
          return items.length === 1 ? extend(term) : term;
        };
        if (item.isSymbol) addSymbol(item.word, hasWords);
        else if (item.parts.length > 0) addName(item);
        else for (const token of tokenize(item.word)) add(token, () => create(token));
      }
    }
  }

  function withFrequentSpelling(term: QueryTerm): QueryTerm {
    const { word, variants } = term;
    const [variant] = variants;
    if (word.length < minRareLength || !onlyLetters.test(word) || isSpacelessScript(word))
      return term;
    if (!variant || variants.length > 1 || variant.spellings) return term;
    const { count } = variant.postings;
    if (count === 0 || count > rarePassages) return term;
    const spellings = vocabulary
      .wordsOneTypoAway(word)
      .filter((other) => other.token !== variant.token && !isFunctionWord(other.word));
    const frequent = termOfSpellings(word, spellings).variants.filter(
      ({ postings }) => postings.count - postings.partsOnly >= frequentRatio * count,
    );
    return frequent.length === 0 ? term : { ...term, frequent: { word, variants: frequent } };
  }

  /** A symbol that no document contains is left to the words that it stands with. */
  function addSymbol(symbol: string, hasWords: boolean): void {
    const term = { word: symbol, variants: variantsOf(symbol) };
    if (isFound(term) || !hasWords) add(symbol, () => term);
  }

  function addName({ word, parts }: TextWord): void {
    const [token = word] = tokenize(word);
    const whole = { word, variants: variantsOf(token) };
    const isCommon = whole.variants.some(({ postings }) => postings.count >= enoughPassages);
    if (isCommon) {
      add(token, () => whole);
      return;
    }
    const named = parts.map((part) => {
      const [partToken = part] = tokenize(part);
      return isFunctionWord(part)
        ? { token: partToken, term: minorTerm(part, partToken) }
        : { token: partToken, term: resolve(part, partToken) };
    });
    const longer = vocabulary.namesWith(word).filter((name) => name.token !== token);
    const { variants } = termOfSpellings(word, longer);
    whole.variants.push(...variants.map(({ spellings: _, ...variant }) => variant));
    if (isFound(whole)) add(token, () => ({ ...whole, parts: named.map(({ term }) => term) }));
    else if (named.some(({ term }) => isFound(term))) {
      for (const { token, term } of named) add(token, () => term);
    } else add(token, () => correctSpelling(word) ?? whole);
  }

  function addMinor(texts: readonly string[]): void {
    const statements = statementWords(query.sequence);
    for (const word of texts.flatMap(splitWords)) {
      const [token = word] = tokenize(word);
      add(token, () => minorTerm(word, token, statements.has(word) ? statementWeight : undefined));
    }
  }

  function minorTerm(word: string, token: string, factor = functionWordWeight): QueryTerm {
    return { word, variants: [{ token, similarity: 1, postings: readTitled(token) }], factor };
  }

  function resolve(word: string, token: string): QueryTerm {
    const term = { word, variants: variantsOf(token) };
    if (!isFound(term)) return correctSpelling(word) ?? term;
    const spellings = vocabulary.sameStem(word, token);
    if (spellings.length === 0) return term;
    return { word, variants: term.variants.map((variant) => ({ ...variant, spellings })) };
  }

  /**
   * Text in a script without spaces is indexed as bigrams. A query of single characters only matches
   * every bigram that contains one of them; next to other words, as in `2020年`, a character matches
   * only itself.
   */
  function variantsOf(token: string): TermVariant[] {
    const includesBigrams = isOnlyChars && isSingleChar(token);
    const bigrams = includesBigrams ? [...termsContaining(token)].sort().slice(0, maxBigrams) : [];
    return [...new Set([token, ...bigrams])].map((variant) => ({
      token: variant,
      similarity: 1,
      postings: read(variant),
    }));
  }

  /** Numbers and very short words are not in the vocabulary, but are completions of themselves. */
  function completionsOf(prefix: string): Spelling[] {
    const completions = vocabulary.completions(prefix);
    const isMissing = tokenize(prefix)[0] === prefix && completions[0]?.word !== prefix;
    if (!isMissing) return completions;
    return [{ word: prefix, token: prefix, similarity: 1 }, ...completions];
  }

  function correctSpelling(word: string): QueryTerm | undefined {
    if (isSpacelessScript(word)) return undefined;
    const completed = termOfSpellings(word, vocabulary.completions(word));
    if (isFound(completed)) return completed;
    for (const spellings of vocabulary.wordsWithTypos(word)) {
      const likely = spellings.filter((spelling) => !isFunctionWord(spelling.word));
      const corrected = termOfSpellings(word, likely);
      if (isFound(corrected)) return corrected;
    }
    return undefined;
  }

  /** Groups spellings by stem, and omits words that occur only in removed documents. */
  function termOfSpellings(word: string, spellings: readonly Spelling[]): QueryTerm {
    const variantByToken = new Map<string, Required<TermVariant>>();
    let count = 0;
    for (const { token, similarity, word: spelling } of spellings) {
      const known = variantByToken.get(token);
      const postings = known?.postings ?? read(token);
      if (postings.count === 0) continue;
      variantByToken.set(token, {
        token,
        postings,
        similarity: Math.max(known?.similarity ?? 0, similarity),
        spellings: [...(known?.spellings ?? []), spelling],
      });
      if (++count >= maxSpellings) break;
    }
    return { word, variants: [...variantByToken.values()] };
  }
}

function statementWords(sequence: readonly string[]): Set<string> {
  const words = sequence.flatMap(splitWords);
  return new Set(
    words.flatMap((word, index) => {
      const next = words[index + 1] ?? "";
      return isStatement(word, next) ? [word, next] : [];
    }),
  );
}

const isSingleChar = (word: string): boolean => isSpacelessScript(word) && [...word].length === 1;

const isFound = ({ variants }: QueryTerm): boolean =>
  variants.some(({ postings }) => postings.count > 0);

/** Whether a document has the word itself, not only another spelling or what it begins. */
const isFoundAsWritten = ({ variants }: QueryTerm): boolean =>
  variants.some(({ similarity, postings }) => similarity === 1 && postings.count > 0);
