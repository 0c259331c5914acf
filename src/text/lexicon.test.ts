import fc from "fast-check";
import { expect, test } from "vitest";
import { naughtyStrings } from "../../tests/fixtures/naughty-strings.ts";
import { type Lexicon, openLexicon } from "./lexicon.ts";
import { isSpaceless, tokensOf, wordsOf } from "./tokens.ts";

const tokensIn = (lexicon: Lexicon, text: string): string[] =>
  Array.from(lexicon.numbersOf(text), lexicon.tokenOf);

const spacedWords = (text: string): Set<string> =>
  new Set(wordsOf(text).filter((word) => !isSpaceless(word)));

/** Letters that are folded alone, with their neighbours, to several, or not at all. */
const letters = [
  ..."aZ09_ \n.,'-é Éßñ ǅ ΣσςΑ Яёй ﬁ№℃½… 東京灯台 ひカー ｶﾞ 한국 ㄱᄀ ไทยั้ हिन्दी العربية ℌ 𝐇𝚺 𠮷 😀 🇫🇷",
  ..."\u0301\u0338\u3099\u1161\u11a8\u00ad\u200d\u2126",
];
const mixed = fc.string({ unit: fc.constantFrom(...letters), maxLength: 60 });
const anyText = fc.oneof(
  fc.string({ maxLength: 80 }),
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.string({ unit: "binary", maxLength: 60 }),
  mixed,
  // Any units at all, halves of letters among them.
  fc.array(fc.nat(0xffff), { maxLength: 40 }).map((units) => String.fromCharCode(...units)),
);

test("any texts are cut into the same tokens and words as without a lexicon", () => {
  fc.assert(
    fc.property(fc.array(anyText, { maxLength: 6 }), (texts) => {
      const lexicon = openLexicon();
      for (const text of texts) expect(tokensIn(lexicon, text)).toEqual(tokensOf(text));

      const words = lexicon.words();
      expect(new Set(words)).toEqual(spacedWords(texts.join("\n")));
      expect(new Set(words).size).toBe(words.length);
    }),
    { numRuns: 1_000 },
  );
});

test("every letter of the first plane is cut alike, alone and beside others", () => {
  const lexicon = openLexicon();
  const other: string[] = [];
  for (let unit = 0; unit < 0x10000; unit++) {
    const letter = String.fromCharCode(unit);
    const text = `${letter} a${letter}b Α'${letter}' か${letter}ー 가${letter}나 ${letter}я`;
    if (tokensIn(lexicon, text).join(" ") !== tokensOf(text).join(" ")) other.push(text);
  }
  expect(other).toEqual([]);
});

const { source, strings } = naughtyStrings();

test(`${source} are cut into the same tokens as without a lexicon`, () => {
  const lexicon = openLexicon();
  for (const text of strings) expect(tokensIn(lexicon, text)).toEqual(tokensOf(text));
});

test("forms of one word have one number, and it stays", () => {
  const lexicon = openLexicon();
  const [first, second, other] = lexicon.numbersOf("lamps Lamp tower");

  expect(second).toBe(first);
  expect(other).not.toBe(first);
  expect(lexicon.numbersOf("a LAMP")[1]).toBe(first);
});

test("words are told since the last beginning only, and as they were spelt", () => {
  const lexicon = openLexicon();
  lexicon.numbersOf("lamps and lamp 灯台");
  expect(lexicon.words()).toEqual(["lamps", "and", "lamp"]);

  lexicon.begin();
  expect(lexicon.words()).toEqual([]);
  lexicon.numbersOf("Tower and tower");
  expect(lexicon.words()).toEqual(["tower", "and"]);
});

test("a lexicon of more words than it keeps begins with none, and cuts as before", () => {
  const lexicon = openLexicon();
  for (let from = 0; from < 250_000; from += 1_000) {
    lexicon.begin();
    const text = Array.from({ length: 1_000 }, (_, place) => `w${from + place}`).join(" ");
    const numbers = lexicon.numbersOf(text);
    expect(numbers[999]).toBeLessThan(201_000);
    expect(Array.from(numbers, lexicon.tokenOf)).toEqual(text.split(" "));
  }
  expect(lexicon.numbersOf("lamp")[0]).toBeLessThan(60_000);
  expect(tokensIn(lexicon, "w7 lamps 東京都")).toEqual(["w7", "lamp", "東京", "京都"]);
});

test("a word as long as a book is one token", () => {
  const long = "x".repeat(300_000);

  expect(tokensIn(openLexicon(), `${long} lamp`)).toEqual([long, "lamp"]);
});
