import fc from "fast-check";
import { expect, test } from "vitest";
import { naughtyStrings } from "../../../tests/fixtures/inputs/naughty-strings.ts";
import { splitWords, tokenize, tokensWithOffsets } from "./tokens.ts";

const check = (text: string, expected: string[]) => expect(tokenize(text)).toEqual(expected);

test("words are case-folded, stripped of accents and English endings", () => {
  check("Running Café naïve", ["run", "cafe", "naiv"]);
});

test("scripts without spaces are split into bigrams", () => {
  check("東京都 に", ["東京", "京都", "に"]);
  check("서울시", ["서울", "울시"]);
});

test("Latin words inside such a script stay whole", () => {
  check("新しいAPIを使う", ["新し", "しい", "api", "を使", "使う"]);
});

test("combining marks stay with their letter", () => {
  check("हिन्दी", ["हिन्द"]);
  check("ตั้งแต่", ["ตั", "ั้", "้ง", "งแ", "แต", "ต่"]);
});

test("words of other alphabets are stemmed too", () => {
  check("маяками маяк", ["маяк", "маяк"]);
  check("الكتاب كتاب", ["كتاب", "كتاب"]);
  check("δρόμος δρόμους", ["δρομ", "δρομ"]);
});

test("mixed ASCII and other text is split like each alone", () => {
  check("naïve Straße x²y — it’s, don't", ["naiv", "straße", "x2y", "it", "s", "don", "t"]);
});

test("surrogate pairs are not split", () => {
  check("𠮷野家", ["𠮷野", "野家"]);
});

test("full-width letters equal the normal ones", () => {
  check("ＡＢＣ１", ["abc1"]);
});

test("token positions are correct and in order", () => {
  const text = "Two Loans, 東京都 café";
  const placed = [...tokensWithOffsets(text)].map(({ form, start, end }) => [
    form,
    text.slice(start, end),
  ]);

  expect(placed).toEqual([
    ["two", "Two"],
    ["loan", "Loans"],
    ["東京", "東京"],
    ["京都", "京都"],
    ["cafe", "café"],
  ]);
});

test("both tokenizers agree on plain text", () => {
  const letters = fc.stringMatching(/^[A-Za-z0-9 ,東京灯台한국어ไทย_]{0,60}$/);
  fc.assert(
    fc.property(letters, (text) => {
      const forms = [...tokensWithOffsets(text)].filter(({ isPart }) => !isPart);
      expect(forms.map(({ form }) => form)).toEqual(tokenize(text));
    }),
  );
});

test("mathematical and letter-like capitals match lowercase letters", () => {
  check("№5 ℃ Tea™ 𝐇𝐞𝐥𝐥𝐨 Ⅷ", ["no5", "c", "teatm", "hello", "viii"]);
});

test("excess combining marks are dropped, and their letter stays", () => {
  check(`la${"\u0301\u0316".repeat(500)}mp tower`, ["lamp", "tower"]);
});

test("lone surrogates are not letters, and do not split other words", () => {
  check("a\ud800b \udc00灯\ud800台 lamp\udfff", ["a", "b", "灯", "台", "lamp"]);
});

test("a run of letters as long as a book is split without exhausting memory", () => {
  expect(tokenize("灯".repeat(300_000))).toHaveLength(299_999);
  expect(tokenize(`${"x".repeat(1_000_000)} lamp`)).toEqual(["x".repeat(1_000_000), "lamp"]);
});

test("mixed scripts are split where the script changes", () => {
  check("灯台のLED灯2基", ["灯台", "台の", "led", "灯", "2", "基"]);
  check("ｶﾞｲﾄﾞ", ["ガイ", "イド"]);
});

test("tokenizing a token gives the same token, so that searching for a result finds it again", () => {
  const letters = fc.string({ unit: fc.constantFrom(..."aeyst ₂é灯台한ไя"), maxLength: 30 });
  fc.assert(
    fc.property(letters, (text) => {
      const words = splitWords(text);
      expect(splitWords(words.join(" "))).toEqual(words);
    }),
  );
});

test("any text is split at character boundaries, with positions in order", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
      for (const token of tokenize(text)) expect(token.isWellFormed()).toBe(true);
      let before = 0;
      for (const { start, end } of tokensWithOffsets(text)) {
        expect(start).toBeGreaterThanOrEqual(before);
        expect(end).toBeGreaterThan(start);
        expect(end).toBeLessThanOrEqual(text.length);
        before = start;
      }
    }),
  );
});

const { source, strings } = naughtyStrings();

test(`${source} are split the same alone and beside a word`, () => {
  for (const text of strings) {
    expect(tokenize(`${text}\nlamp`)).toEqual([...tokenize(text), "lamp"]);
  }
});
