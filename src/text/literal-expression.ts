import { type LetterTest, type Node, type PlaceTest, unreadable } from "./expression-grammar.ts";
import { expressionOf, type LinearExpression } from "./linear-expression.ts";

/**
 * Words as somebody typed them, to be found as a whole or within others. White space fits any white
 * space, since texts break their lines anywhere; an accented letter fits however it is encoded.
 */
export function literalExpression(
  words: string,
  { isWhole, isCaseSensitive }: { isWhole: boolean; isCaseSensitive: boolean },
): LinearExpression {
  const letters = [...words.trim().replace(/\s+/g, " ").normalize("NFC")];
  if (letters.length === 0) throw unreadable("it has no letters");
  const items = letters.map((letter) => nodeOf(letter, isCaseSensitive));
  if (!isWhole) return expressionOf({ kind: "row", items });
  const [start, end]: [Node, Node] = [
    { kind: "place", test: isStart },
    { kind: "place", test: isEnd },
  ];
  return expressionOf({ kind: "row", items: [start, ...items, end] });
}

function nodeOf(letter: string, isCaseSensitive: boolean): Node {
  if (letter === " ") {
    const item: Node = { kind: "letter", test: (other) => /\s/u.test(other) };
    return { kind: "repeat", item, least: 1, most: Number.POSITIVE_INFINITY, isLazy: false };
  }
  const row = (letters: string): Node => ({
    kind: "row",
    items: [...letters].map((one) => ({ kind: "letter", test: same(one, isCaseSensitive) })),
  });
  const parted = letter.normalize("NFD");
  return parted === letter ? row(letter) : { kind: "choice", items: [row(letter), row(parted)] };
}

/** Letters are compared one by one, so that positions stay what they are whatever their case. */
function same(wanted: string, isCaseSensitive: boolean): LetterTest {
  if (isCaseSensitive) return (letter) => letter === wanted;
  const [small, large] = [wanted.toLowerCase(), wanted.toUpperCase()];
  return (letter) => letter.toLowerCase() === small || letter.toUpperCase() === large;
}

/** What words are made of; marks belong to the letter before them. */
const isOfWord = /[\p{L}\p{M}\p{N}_]/u;

/** Scripts that put no space between words, so that a word ends wherever the reader sees it end. */
const isUnspaced = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/u;

/** A whole word has no letter in front of it, and none behind it. */
const isStart: PlaceTest = (before, after) =>
  !isOfWord.test(before) || isUnspaced.test(before) || isUnspaced.test(after);

const isEnd: PlaceTest = (before, after) =>
  !isOfWord.test(after) ||
  isUnspaced.test(after) ||
  (isUnspaced.test(before) && !/\p{M}/u.test(after));
