import fc from "fast-check";
import { expect, test } from "vitest";
import { naughtyStrings } from "../../tests/fixtures/naughty-strings.ts";
import { placedTokens, tokensOf, wordsOf } from "./tokens.ts";

const check = (text: string, expected: string[]) => expect(tokensOf(text)).toEqual(expected);

test("words lose their case, their accents and their English endings", () => {
  check("Running Café naïve", ["run", "cafe", "naiv"]);
});

test("scripts without spaces are cut into pairs of letters", () => {
  check("東京都 に", ["東京", "京都", "に"]);
  check("서울시", ["서울", "울시"]);
});

test("Latin words inside such a script stay whole", () => {
  check("新しいAPIを使う", ["新し", "しい", "api", "を使", "使う"]);
});

test("marks that belong to a letter stay with it", () => {
  check("हिन्दी", ["हिन्द"]);
  check("ตั้งแต่", ["ตั", "ั้", "้ง", "งแ", "แต", "ต่"]);
});

test("words of other alphabets lose their endings too", () => {
  check("маяками маяк", ["маяк", "маяк"]);
  check("الكتاب كتاب", ["كتاب", "كتاب"]);
  check("δρόμος δρόμους", ["δρομ", "δρομ"]);
});

test("text between plain letters and others is cut as either alone would be", () => {
  check("naïve Straße x²y — it’s, don't", ["naiv", "straße", "x2y", "it", "s", "don", "t"]);
});

test("letters outside the first plane are not cut in half", () => {
  check("𠮷野家", ["𠮷野", "野家"]);
});

test("full-width letters are the same letters", () => {
  check("ＡＢＣ１", ["abc1"]);
});

test("tokens stand where they are said to, in the same order", () => {
  const text = "Two Loans, 東京都 café";
  const placed = [...placedTokens(text)].map(({ form, start, end }) => [
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

test("both ways of cutting agree on plain text", () => {
  const letters = fc.stringMatching(/^[A-Za-z0-9 ,.東京灯台한국어ไทย-]{0,60}$/);
  fc.assert(
    fc.property(letters, (text) => {
      expect([...placedTokens(text)].map(({ form }) => form)).toEqual(tokensOf(text));
    }),
  );
});

test("signs and letters of formulas that stand for capitals are found by small letters", () => {
  check("№5 ℃ Tea™ 𝐇𝐞𝐥𝐥𝐨 Ⅷ", ["no5", "c", "teatm", "hello", "viii"]);
});

test("marks beyond number fall away, and their letter stays", () => {
  check(`la${"\u0301\u0316".repeat(500)}mp tower`, ["lamp", "tower"]);
});

test("halves of letters are no letters, and cut no word in half that they do not stand in", () => {
  check("a\ud800b \udc00灯\ud800台 lamp\udfff", ["a", "b", "灯", "台", "lamp"]);
});

test("a run of letters as long as a book is cut without end of memory", () => {
  expect(tokensOf("灯".repeat(300_000))).toHaveLength(299_999);
  expect(tokensOf(`${"x".repeat(1_000_000)} lamp`)).toEqual(["x".repeat(1_000_000), "lamp"]);
});

test("mixed scripts are cut where the script changes", () => {
  check("灯台のLED灯2基", ["灯台", "台の", "led", "灯", "2", "基"]);
  check("ｶﾞｲﾄﾞ", ["ガイ", "イド"]);
});

test("a token's token is itself, so that asking with what was found finds it again", () => {
  const letters = fc.string({ unit: fc.constantFrom(..."aeyst ₂é灯台한ไя"), maxLength: 30 });
  fc.assert(
    fc.property(letters, (text) => {
      const words = wordsOf(text);
      expect(wordsOf(words.join(" "))).toEqual(words);
    }),
  );
});

test("any text is cut into whole letters, and places lie within the text in order", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
      for (const token of tokensOf(text)) expect(token.isWellFormed()).toBe(true);
      let before = 0;
      for (const { start, end } of placedTokens(text)) {
        expect(start).toBeGreaterThanOrEqual(before);
        expect(end).toBeGreaterThan(start);
        expect(end).toBeLessThanOrEqual(text.length);
        before = start;
      }
    }),
  );
});

const { source, strings } = naughtyStrings();

test(`${source} are cut alike alone and beside a word`, () => {
  for (const text of strings) {
    expect(tokensOf(`${text}\nlamp`)).toEqual([...tokensOf(text), "lamp"]);
  }
});
