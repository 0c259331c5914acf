import { expect, test } from "vitest";
import { type Move, moved, wordsOf } from "./words.ts";

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

test("at the ends nothing moves, and one word cannot become shorter", () => {
  expect(after("next", "previous", "shorter")).toBe("I");
  expect(after(...Array<Move>(9).fill("next"))).toBe("too");
  expect(after(...Array<Move>(9).fill("next"), "longer")).toBe("too");
});
