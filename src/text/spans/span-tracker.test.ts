import { expect, test } from "vitest";
import {
  emptyTally,
  followThroughEdits,
} from "../../../tests/fixtures/qualitative/edited-texts.ts";
import { applyTextEdits, diffEdits, type TextEdit } from "../edits/edits.ts";
import { trackSpans } from "./span-tracker.ts";

/** Where the bracketed text ends up after the given edits. */
function fateOf(marked: string, edits: TextEdit[], isGuess = false) {
  const start = marked.indexOf("[");
  const before = marked.replace(/[[\]]/g, "");
  const after = applyTextEdits(before, edits);
  const passage = { start, end: marked.indexOf("]") - 1 };
  const fate = trackSpans(before, after, edits, { isGuess })(passage);
  return { ...fate, words: fate.place && after.slice(fate.place.start, fate.place.end) };
}

test("[qualitative.anchors.random] no passage is silently wrong after random edits, and moved ones are found", () => {
  for (const isGuess of [false, true]) {
    const tally = emptyTally();
    for (let seed = 1; seed <= 300; seed++) followThroughEdits(seed, isGuess, tally);
    expect(tally.errors).toEqual([]);
    expect(tally.untouched).toBeGreaterThan(1_000);
    expect(tally.moved).toBeGreaterThan(20);
    expect(tally.movedFound / tally.moved).toBeGreaterThan(0.98);
    if (!isGuess) expect(tally.untouchedWaiting).toBe(0);
  }
});

test("[qualitative.anchors.outcomes] each passage is reported as kept, changed, moved or lost", () => {
  const edit = (start: number, end: number, text: string): TextEdit => ({ start, end, text });

  expect(fateOf("We [hoped] so.", [edit(0, 2, "All of us")])).toMatchObject({
    fate: "kept",
    words: "hoped",
  });
  expect(fateOf("We [hoped for it] so.", [edit(9, 12, "against")])).toMatchObject({
    fate: "changed",
    words: "hoped against it",
  });
  expect(fateOf("We [hoped for the best then], so.", [edit(3, 27, "")])).toMatchObject({
    fate: "lost",
    score: 0,
  });
  expect(
    fateOf("[It rained on all of the seven days.] We hoped so.", [
      edit(0, 36, ""),
      edit(48, 48, " It rained on all of the seven days."),
    ]),
  ).toMatchObject({ fate: "moved", words: "It rained on all of the seven days." });
  expect(fateOf("We [hoped] so.", [edit(3, 8, "waited")])).toMatchObject({
    fate: "lost",
    words: "waited",
  });
});

test("[qualitative.anchors.edits] edits are computed from two texts without splitting a character", () => {
  for (const [before, after] of [
    ["a 😀 b", "a 😁 b"],
    ["one\ntwo\nthree\n", "one\n2\nthree\nfour"],
    ["", "new"],
    ["old", ""],
    ["x".repeat(2_000), "y".repeat(1_000)],
    ["a\r\nb", "a\nb"],
  ] as const) {
    const edits = diffEdits(before, after);
    expect(applyTextEdits(before, edits)).toBe(after);
    expect(edits.every(({ text }) => text.isWellFormed())).toBe(true);
  }
  expect(diffEdits("We hoped so.", "We had hoped so.")).toEqual([
    { start: 3, end: 3, text: "had " },
  ]);
});
