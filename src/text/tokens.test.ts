import fc from "fast-check";
import { expect, test } from "vitest";
import { placedTokens, tokensOf } from "./tokens.ts";

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
  check("हिन्दी भाषा", ["हिन्दी", "भाषा"]);
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
