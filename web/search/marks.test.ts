import { expect, test } from "vitest";
import { readQuery, wantedTokens } from "../../src/text/query.ts";
import { runsOf } from "./marks.ts";

/** The text with its marked runs in brackets. */
const marked = (query: string, text: string): string =>
  runsOf(text, wantedTokens(readQuery(query)))
    .map((run) => (run.isMarked ? `[${run.text}]` : run.text))
    .join("");

test("a word is marked in each of its forms, and never inside another word", () => {
  expect(marked("loan", "Loans, a loan; no loanword.")).toBe("[Loans], a [loan]; no loanword.");
});

test("case and accents do not matter", () => {
  expect(marked("CAFE", "Le café")).toBe("Le [café]");
});

test("words of a phrase are marked, excluded words are not", () => {
  expect(marked('"reading room" -fog -"the path"', "The reading room, the path in fog")).toBe(
    "The [reading] [room], the path in fog",
  );
});

test("in a script without spaces the shared letters are marked as one", () => {
  expect(marked("灯台守", "最後の灯台守は灯台に")).toBe("最後の[灯台守]は[灯台]に");
  expect(marked("灯台", "see [the draft](灯台.md)")).toBe("see [the draft]([灯台].md)");
});

test("a text without any of the words is one run, and an empty one has none", () => {
  expect(runsOf("nothing here", wantedTokens(readQuery("tape")))).toEqual([
    { text: "nothing here", isMarked: false },
  ]);
  expect(runsOf("", wantedTokens(readQuery("tape")))).toEqual([]);
});
