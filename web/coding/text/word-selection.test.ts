import { expect, test } from "vitest";
import {
  moveSelection,
  type SelectionMove,
  segmentWords,
  sentenceAround,
  snapToWords,
} from "./word-selection.ts";

const text = "I hoped. 😀 I doubted, too.";

function after(...moves: SelectionMove[]): string {
  const words = segmentWords(text);
  let selected: { start: number; end: number } | undefined;
  for (const move of moves) selected = moveSelection(words, selected, move);
  return text.slice(selected?.start, selected?.end);
}

test("keys select word by word, and extend and shrink the selection", () => {
  expect(after("next")).toBe("I");
  expect(after("next", "next")).toBe("hoped");
  expect(after("next", "next", "longer", "longer")).toBe("hoped. 😀 I doubted");
  expect(after("next", "next", "longer", "longer", "shorter")).toBe("hoped. 😀 I");
  expect(after("next", "next", "previous")).toBe("I");
});

test("the start moves like the end", () => {
  expect(after("next", "next", "earlier")).toBe("I hoped");
  expect(after("next", "next", "earlier", "later")).toBe("hoped");
  expect(after("next", "next", "later")).toBe("hoped");
});

test("nothing moves at the ends of the text, and a single word cannot shrink", () => {
  expect(after("next", "previous", "shorter", "earlier")).toBe("I");
  expect(after(...Array<SelectionMove>(9).fill("next"))).toBe("too");
  expect(after(...Array<SelectionMove>(9).fill("next"), "longer")).toBe("too");
});

test("a selection snaps to whole words without white space", () => {
  const take = (start: number, end: number): string => {
    const taken = snapToWords(segmentWords(text), { start, end });
    return text.slice(taken.start, taken.end);
  };
  expect(take(4, 5)).toBe("hoped");
  expect(take(1, 5)).toBe("hoped");
  expect(take(4, 9)).toBe("hoped.");
  expect(take(16, 24)).toBe("doubted, too");
});

test("the sentence around a word is found, even deep in a long text", () => {
  const long = `${"So it was. ".repeat(2_000)}She waited, and hoped. It rained.`;
  const start = long.indexOf("waited");
  const found = sentenceAround(long, { start, end: start + 6 });
  expect(long.slice(found.start, found.end)).toBe("She waited, and hoped.");
});
