import { expect, test } from "vitest";
import { type Move, moved, sentenceAround, snapped, wordsOf } from "./words.ts";

const text = "I hoped. 😀 I doubted, too.";

function after(...moves: Move[]): string {
  const words = wordsOf(text);
  let selected: { start: number; end: number } | undefined;
  for (const move of moves) selected = moved(words, selected, move);
  return text.slice(selected?.start, selected?.end);
}

test("keys select word by word, and grow and shrink what is selected", () => {
  expect(after("next")).toBe("I");
  expect(after("next", "next")).toBe("hoped");
  expect(after("next", "next", "longer", "longer")).toBe("hoped. 😀 I doubted");
  expect(after("next", "next", "longer", "longer", "shorter")).toBe("hoped. 😀 I");
  expect(after("next", "next", "previous")).toBe("I");
});

test("the beginning is moved as the end is", () => {
  expect(after("next", "next", "earlier")).toBe("I hoped");
  expect(after("next", "next", "earlier", "later")).toBe("hoped");
  expect(after("next", "next", "later")).toBe("hoped");
});

test("at the ends nothing moves, and one word cannot become shorter", () => {
  expect(after("next", "previous", "shorter", "earlier")).toBe("I");
  expect(after(...Array<Move>(9).fill("next"))).toBe("too");
  expect(after(...Array<Move>(9).fill("next"), "longer")).toBe("too");
});

test("a selection takes whole words and leaves white space out", () => {
  const take = (start: number, end: number): string => {
    const taken = snapped(wordsOf(text), { start, end });
    return text.slice(taken.start, taken.end);
  };
  expect(take(4, 5)).toBe("hoped");
  expect(take(1, 5)).toBe("hoped");
  expect(take(4, 9)).toBe("hoped.");
  expect(take(16, 24)).toBe("doubted, too");
});

test("a sentence is found around a word, far into a long text too", () => {
  const long = `${"So it was. ".repeat(2_000)}She waited, and hoped. It rained.`;
  const start = long.indexOf("waited");
  const found = sentenceAround(long, { start, end: start + 6 });
  expect(long.slice(found.start, found.end)).toBe("She waited, and hoped.");
});
