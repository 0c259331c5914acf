import fc from "fast-check";
import { expect, test } from "vitest";
import { naughtyStrings } from "../../../tests/fixtures/inputs/naughty-strings.ts";
import { type Lexicon, openLexicon } from "./lexicon.ts";
import { isSpacelessScript, scanWords, tokenize, tokenizeWords } from "./tokens.ts";

/** Each token with its mark: its position · 2, plus 1 for a part of a name. */
function marked(lexicon: Lexicon, text: string): string[] {
  const { ids, marks } = lexicon.tokensOf(text);
  return Array.from(ids, (id, at) => `${lexicon.tokenOf(id)} ${marks[at]}`).sort();
}

/** The same without a lexicon. */
function scanned(text: string): string[] {
  const tokens: string[] = [];
  for (const { word, position, parts, isSymbol } of scanWords(text)) {
    const forms = isSymbol ? [word] : tokenize(word);
    for (const [at, form] of forms.entries()) tokens.push(`${form} ${2 * (position + at)}`);
    for (const part of parts) tokens.push(`${tokenize(part)[0]} ${2 * position + 1}`);
  }
  return tokens.sort();
}

const wordsIn = (lexicon: Lexicon, text: string): string[] => {
  const { ids, marks, length } = lexicon.tokensOf(text);
  const words = Array.from(ids, lexicon.tokenOf).filter((_, at) => (marks[at] ?? 1) % 2 === 0);
  expect(length).toBeLessThanOrEqual(words.length);
  return words;
};

const spacedWords = (text: string): Set<string> => {
  const words = [...scanWords(text)].filter(({ isSymbol }) => !isSymbol);
  return new Set(
    words.flatMap(({ word, parts }) => (isSpacelessScript(word) ? [] : [word, ...parts])),
  );
};

/** Letters that fold alone, together with neighbours, to several letters, or not at all. */
const letters = [
  ..."aZbXs09_ \n.,:-=?!(>+#@'-é Éßñ ǅ ΣσςΑ Яёй ﬁ№℃½… 東京灯台 ひカー ｶﾞ 한국 ㄱᄀ ไทยั้ हिन्दी العربية ℌ 𝐇𝚺 𠮷 😀 🇫🇷",
  ..."\u0301\u0338\u3099\u1161\u11a8\u00ad\u200d\u2126",
];
const mixed = fc.string({ unit: fc.constantFrom(...letters), maxLength: 60 });
const anyText = fc.oneof(
  fc.string({ maxLength: 80 }),
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.string({ unit: "binary", maxLength: 60 }),
  mixed,
  // Any UTF-16 units, including lone surrogates.
  fc.array(fc.nat(0xffff), { maxLength: 40 }).map((units) => String.fromCharCode(...units)),
);

test("any texts are split into the same tokens and words as without a lexicon", () => {
  fc.assert(
    fc.property(fc.array(anyText, { maxLength: 6 }), (texts) => {
      const lexicon = openLexicon();
      for (const text of texts) expect(marked(lexicon, text)).toEqual(scanned(text));

      for (const [word, token] of lexicon.words()) expect([token]).toEqual(tokenizeWords([word]));
      const words = lexicon.words().map(([word]) => word);
      expect(new Set(words)).toEqual(spacedWords(texts.join("\n")));
      expect(new Set(words).size).toBe(words.length);
    }),
    { numRuns: 1_000 },
  );
});

test("every character of the BMP is tokenized the same, alone and beside others", () => {
  const lexicon = openLexicon();
  const other: string[] = [];
  for (let unit = 0; unit < 0x10000; unit++) {
    const letter = String.fromCharCode(unit);
    const text = `${letter} a${letter}b Α'${letter}' か${letter}ー 가${letter}나 ${letter}я`;
    if (marked(lexicon, text).join(" ") !== scanned(text).join(" ")) other.push(text);
  }
  expect(other).toEqual([]);
});

const { source, strings } = naughtyStrings();

test(`${source} are split into the same tokens as without a lexicon`, () => {
  const lexicon = openLexicon();
  for (const text of strings) expect(marked(lexicon, text)).toEqual(scanned(text));
});

test("all forms of a word have one permanent number", () => {
  const lexicon = openLexicon();
  const [first, second, other] = lexicon.tokensOf("lamps Lamp tower").ids;

  expect(second).toBe(first);
  expect(other).not.toBe(first);
  expect(lexicon.tokensOf("a LAMP").ids[1]).toBe(first);
});

test("words are reported only since the last start, with their original spelling and token", () => {
  const lexicon = openLexicon();
  lexicon.tokensOf("lamps and lamp 灯台");
  expect(lexicon.words()).toEqual([
    ["lamps", "lamp"],
    ["and", "and"],
    ["lamp", "lamp"],
  ]);

  lexicon.startBatch();
  expect(lexicon.words()).toEqual([]);
  lexicon.tokensOf("Tower and tower");
  expect(lexicon.words()).toEqual([
    ["tower", "tower"],
    ["and", "and"],
  ]);
});

test("a lexicon over its size limit starts empty, with the same tokens", () => {
  const lexicon = openLexicon();
  for (let from = 0; from < 250_000; from += 1_000) {
    lexicon.startBatch();
    const text = Array.from({ length: 1_000 }, (_, place) => `w${from + place}`).join(" ");
    const numbers = lexicon.tokensOf(text).ids;
    expect(numbers[999]).toBeLessThan(201_000);
    expect(Array.from(numbers, lexicon.tokenOf)).toEqual(text.split(" "));
  }
  expect(lexicon.tokensOf("lamp").ids[0]).toBeLessThan(60_000);
  expect(wordsIn(lexicon, "w7 lamps 東京都")).toEqual(["w7", "lamp", "東京", "京都"]);
});

test("a word as long as a book is one token", () => {
  const long = "x".repeat(300_000);

  expect(wordsIn(openLexicon(), `${long} lamp`)).toEqual([long, "lamp"]);
});
