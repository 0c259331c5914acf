import fc from "fast-check";
import { expect, test } from "vitest";
import { parseQuery, queryTokens } from "./query.ts";

const check = (written: string, words: string[], phrases: string[] = [], excluded: string[] = []) =>
  expect(parseQuery(written)).toMatchObject({ words, prefixes: [], phrases, excluded });

test("words, phrases and exclusions are parsed", () => {
  check('tea "green leaf" -milk -"with sugar"', ["tea"], ["green leaf"], ["milk", "with sugar"]);
});

test("a hyphen inside a word belongs to it", () => check("multi-agent", ["multi-agent"]));

test("an unclosed quote is an ordinary character", () => check('say "hello', ["say", '"hello']));

test("keywords of query languages are ordinary words", () =>
  check("b OR c NEAR(d) title:x", ["b", "c", "NEAR(d)", "title:x"]));

test("function words are separated, except in a phrase", () => {
  check('how do I light "the lamp"?', ["light"], ["the lamp"]);
  expect(parseQuery("how do I light the lamp?").functionWords).toEqual(["how", "do", "I", "the"]);
});

test("a star makes a prefix", () => {
  expect(parseQuery("light* the lamp").prefixes).toEqual(["light"]);
  check("light * lamp", ["light", "lamp"]);
});

test("two hyphens exclude nothing, since people search for `--force-root` as they type it", () => {
  check("--force-root", ["--force-root"]);
  check("lamp --", ["lamp"]);
  check("-a--b", [], [], ["a--b"]);
});

test("text without letters searches and excludes nothing", () => {
  expect(queryTokens(parseQuery('!!! — "" " " -"" - *'))).toEqual(new Set());
  expect(parseQuery('-"" ""')).toMatchObject({ phrases: [], excluded: [] });
});

test("a star counts only after a letter or digit, and not in scripts without spaces", () => {
  expect(parseQuery("202* c* foo_* 灯* *").prefixes).toEqual(["202", "c"]);
  expect(parseQuery('"gramm*" -gramm*')).toMatchObject({ prefixes: [], phrases: ["gramm*"] });
});

test("any white space separates words, and a phrase may contain a line break", () => {
  check('lamp\u00a0tower\tkeeper\u3000"green\nleaf"', ["lamp", "tower", "keeper"], ["green\nleaf"]);
});

test("a snippet is chosen by the words, or by function words if there is nothing else", () => {
  expect(queryTokens(parseQuery('how do lamps work "green leaf" -milk'))).toEqual(
    new Set(["lamp", "work", "green", "leaf"]),
  );
  expect(queryTokens(parseQuery("what is it"))).toEqual(new Set(["what", "is", "it"]));
});

test("any query is parsed, and the result contains only what was written", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (written) => {
      for (const piece of Object.values(parseQuery(written)).flat()) {
        expect(written).toContain(piece);
      }
    }),
  );
});
