import { expect, test } from "vitest";
import { found, passagesIn } from "./passages.ts";

test("passages are found in a proposal however deep they lie", () => {
  const input = {
    project: "a.qda",
    operation: "batch_apply_codes",
    input: {
      operations: [
        { code_id: 1, source_id: "2", start_position: 3, end_position: 9 },
        { code_id: 1, source_id: 2, quote: "hoped" },
        { code_id: 1, source_id: 2 },
      ],
    },
  };
  expect(passagesIn(input)).toEqual([
    { source_id: 2, code_id: 1, start: 3, end: 9 },
    { source_id: 2, code_id: 1, quote: "hoped" },
  ]);
});

test("a passage is shown with what is around it, by places or by words, behind an emoji too", () => {
  const letters = [..."I hoped. 😀 I doubted, too."];
  const seen = {
    place: { start: 13, end: 20 },
    before: "I hoped. 😀 I ",
    words: "doubted",
    behind: ", too.",
  };
  expect(found(letters, { start: 13, end: 20 })).toEqual(seen);
  expect(found(letters, { quote: "doubted" })).toEqual(seen);
  expect(found(letters, { quote: "feared" })).toMatchObject({ place: undefined, words: "feared" });
});
