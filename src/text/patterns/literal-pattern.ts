import { type LinearPattern, patternOfNode } from "./regex.ts";
import {
  type AssertionTest,
  type CharTest,
  invalidPattern,
  type PatternNode,
} from "./regex-parser.ts";

/**
 * A pattern for literal text, matched as whole words or anywhere. White space matches any white
 * space, because lines may be wrapped; an accented letter matches both its composed (NFC) and its
 * decomposed (NFD) form.
 */
export function literalPattern(
  literal: string,
  { isWhole, isCaseSensitive }: { isWhole: boolean; isCaseSensitive: boolean },
): LinearPattern {
  const chars = [...literal.trim().replace(/\s+/g, " ").normalize("NFC")];
  if (chars.length === 0) throw invalidPattern("it is empty");
  const items = chars.map((char) => nodeOf(char, isCaseSensitive));
  if (!isWhole) return patternOfNode({ kind: "sequence", items });
  const [start, end]: [PatternNode, PatternNode] = [
    { kind: "assertion", test: isWordStart },
    { kind: "assertion", test: isWordEnd },
  ];
  return patternOfNode({ kind: "sequence", items: [start, ...items, end] });
}

function nodeOf(char: string, isCaseSensitive: boolean): PatternNode {
  if (char === " ") {
    const item: PatternNode = { kind: "char", test: (candidate) => /\s/u.test(candidate) };
    return { kind: "repeat", item, min: 1, max: Number.POSITIVE_INFINITY, isLazy: false };
  }
  const sequence = (chars: string): PatternNode => ({
    kind: "sequence",
    items: [...chars].map((each) => ({ kind: "char", test: charTest(each, isCaseSensitive) })),
  });
  const decomposed = char.normalize("NFD");
  return decomposed === char
    ? sequence(char)
    : { kind: "alternation", items: [sequence(char), sequence(decomposed)] };
}

/** Compares case per character, because lowercasing the whole text could change its length. */
function charTest(wanted: string, isCaseSensitive: boolean): CharTest {
  if (isCaseSensitive) return (char) => char === wanted;
  const [lower, upper] = [wanted.toLowerCase(), wanted.toUpperCase()];
  return (char) => char.toLowerCase() === lower || char.toUpperCase() === upper;
}

/** Combining marks count as part of the word of their base letter. */
const isWordChar = /[\p{L}\p{M}\p{N}_]/u;

/** Scripts without spaces between words. Any position in them counts as a word boundary. */
const isUnspaced = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/u;

const isWordStart: AssertionTest = (before, after) =>
  !isWordChar.test(before) || isUnspaced.test(before) || isUnspaced.test(after);

const isWordEnd: AssertionTest = (before, after) =>
  !isWordChar.test(after) ||
  isUnspaced.test(after) ||
  (isUnspaced.test(before) && !/\p{M}/u.test(after));
