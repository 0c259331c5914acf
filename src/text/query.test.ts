import fc from "fast-check";
import { expect, test } from "vitest";
import { readQuery, wantedTokens } from "./query.ts";

const check = (written: string, words: string[], phrases: string[] = [], without: string[] = []) =>
  expect(readQuery(written)).toMatchObject({ words, beginnings: [], phrases, without });

test("words, phrases and exclusions are told apart", () => {
  check('tea "green leaf" -milk -"with sugar"', ["tea"], ["green leaf"], ["milk", "with sugar"]);
});

test("a hyphen inside a word belongs to it", () => check("multi-agent", ["multi-agent"]));

test("a quote that is never closed is an ordinary character", () =>
  check('say "hello', ["say", '"hello']));

test("words of query languages are words", () =>
  check("b OR c NEAR(d) title:x", ["b", "c", "NEAR(d)", "title:x"]));

test("function words stand apart, save in a phrase", () => {
  check('how do I light "the lamp"?', ["light"], ["the lamp"]);
  expect(readQuery("how do I light the lamp?").fillers).toEqual(["how", "do", "I", "the"]);
});

test("a star makes the beginning of a word", () => {
  expect(readQuery("light* the lamp").beginnings).toEqual(["light"]);
  check("light * lamp", ["light", "lamp"]);
});

test("two hyphens exclude nothing: people look for `--force-root` as they type it", () => {
  check("--force-root", ["--force-root"]);
  check("lamp --", ["lamp"]);
  check("-a--b", [], [], ["a--b"]);
});

test("what has no letters asks for nothing and excludes nothing", () => {
  expect(wantedTokens(readQuery('!!! — "" " " -"" - *'))).toEqual(new Set());
  expect(readQuery('-"" ""')).toMatchObject({ phrases: [], without: [] });
});

test("a star counts only behind a letter or digit, and not for scripts without spaces", () => {
  expect(readQuery("202* c* foo_* 灯* *").beginnings).toEqual(["202", "c"]);
  expect(readQuery('"gramm*" -gramm*')).toMatchObject({ beginnings: [], phrases: ["gramm*"] });
});

test("spaces of every kind stand between words, and a phrase may hold a line end", () => {
  check('lamp\u00a0tower\tkeeper\u3000"green\nleaf"', ["lamp", "tower", "keeper"], ["green\nleaf"]);
});

test("what a snippet is chosen by are the words, or the small ones where there is nothing else", () => {
  expect(wantedTokens(readQuery('how do lamps work "green leaf" -milk'))).toEqual(
    new Set(["lamp", "work", "green", "leaf"]),
  );
  expect(wantedTokens(readQuery("what is it"))).toEqual(new Set(["what", "is", "it"]));
});

test("any query is read, and nothing of it but what was written comes out", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (written) => {
      for (const piece of Object.values(readQuery(written)).flat()) {
        expect(written).toContain(piece);
      }
    }),
  );
});
