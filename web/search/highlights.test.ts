import { expect, test } from "vitest";
import { parseQuery, queryTokens } from "../../src/text/search/query.ts";
import { splitHighlights } from "./highlights.ts";

/** The text with its marked runs in brackets. */
const marked = (query: string, text: string): string =>
  splitHighlights(text, queryTokens(parseQuery(query)))
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

test("in a script without spaces, overlapping bigrams are marked as one run", () => {
  expect(marked("灯台守", "最後の灯台守は灯台に")).toBe("最後の[灯台守]は[灯台]に");
  expect(marked("灯台", "see [the draft](灯台.md)")).toBe("see [the draft]([灯台].md)");
});

test("a text without any of the words is one run, and an empty one has none", () => {
  expect(splitHighlights("nothing here", queryTokens(parseQuery("tape")))).toEqual([
    { text: "nothing here", isMarked: false },
  ]);
  expect(splitHighlights("", queryTokens(parseQuery("tape")))).toEqual([]);
});

test("[search.names.highlight] only the part of a name that was searched is marked, or the name", () => {
  const marked = (text: string, query: string) =>
    splitHighlights(text, queryTokens(parseQuery(query)))
      .filter(({ isMarked }) => isMarked)
      .map((run) => run.text);

  expect(marked("call getUserProfileById()", "profile")).toEqual(["Profile"]);
  expect(marked("call getUserProfileById()", "UserProfile").join("")).toBe("UserProfile");
  expect(marked("call getUserProfileById()", "getUserProfileById")).toEqual(["getUserProfileById"]);
  expect(marked("a snake_case_name", "case_name")).toEqual(["case", "name"]);
  expect(marked("C++, C and :has(a)", "C++ :has")).toEqual(["C++", "C", ":has"]);
});
