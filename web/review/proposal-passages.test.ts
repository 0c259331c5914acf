import { expect, test } from "vitest";
import { excerptOf, passagesIn } from "./proposal-passages.ts";

test("passages are found in a proposal at any depth", () => {
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

test("a passage is found by positions or by its quote, and counted in code points", () => {
  const codePoints = [..."I hoped. 😀 I doubted, too."];
  const seen = {
    range: { start: 13, end: 20 },
    before: "I hoped. 😀 I ",
    text: "doubted",
    after: ", too.",
  };
  expect(excerptOf(codePoints, { start: 13, end: 20 })).toEqual(seen);
  expect(excerptOf(codePoints, { quote: "doubted" })).toEqual(seen);
  expect(excerptOf(codePoints, { quote: "feared" })).toMatchObject({
    range: undefined,
    text: "feared",
  });
});
