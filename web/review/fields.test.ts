import { expect, test } from "vitest";
import { editableIn, withEdited } from "./fields.ts";

test("what is done is edited, and not where or in whose name", () => {
  const input = {
    project: "a.qda",
    coder: "claude",
    operation: "create_code",
    input: { name: "Doubt" },
  };
  expect(editableIn(input)).toEqual({ name: "Doubt" });
  expect(withEdited(input, { name: "Unsure" })).toEqual({ ...input, input: { name: "Unsure" } });
});

test("what binds a deletion to its preview is kept and not shown", () => {
  const input = { operation: "delete_code", input: { preview_token: "t", code_id: 1 } };
  expect(editableIn(input)).toEqual({ code_id: 1 });
  expect(withEdited(input, { code_id: 1 })).toEqual(input);
  expect(JSON.stringify(withEdited(input, editableIn(input)))).toBe(JSON.stringify(input));
});

test("what binds a suggestion to its source is kept and not shown", () => {
  const input = { source_id: 1, language: "en", subject: { named: { "source 1": "m" } } };
  expect(editableIn(input)).toEqual({ source_id: 1, language: "en" });
  expect(JSON.stringify(withEdited(input, editableIn(input)))).toBe(JSON.stringify(input));
});

test("a proposal that says only what is done is edited as a whole", () => {
  const input = { title: "Lend lanterns", operation: "new" };
  expect(editableIn(input)).toEqual(input);
  expect(withEdited(input, { ...input, title: "Lend" })).toEqual({ ...input, title: "Lend" });
});
