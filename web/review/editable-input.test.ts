import { expect, test } from "vitest";
import { editableInputOf, withEditedInput } from "./editable-input.ts";

test("the wrapped input is editable, but not the operation or the project", () => {
  const input = {
    project: "a.qda",
    coder: "claude",
    operation: "create_code",
    input: { name: "Doubt" },
  };
  expect(editableInputOf(input)).toEqual({ name: "Doubt" });
  expect(withEditedInput(input, { name: "Unsure" })).toEqual({
    ...input,
    input: { name: "Unsure" },
  });
});

test("the preview token of a deletion is hidden but preserved", () => {
  const input = { operation: "delete_code", input: { preview_token: "t", code_id: 1 } };
  expect(editableInputOf(input)).toEqual({ code_id: 1 });
  expect(withEditedInput(input, { code_id: 1 })).toEqual(input);
  expect(JSON.stringify(withEditedInput(input, editableInputOf(input)))).toBe(
    JSON.stringify(input),
  );
});

test("the subject of a suggestion is hidden but preserved", () => {
  const input = { source_id: 1, language: "en", subject: { named: { "source 1": "m" } } };
  expect(editableInputOf(input)).toEqual({ source_id: 1, language: "en" });
  expect(JSON.stringify(withEditedInput(input, editableInputOf(input)))).toBe(
    JSON.stringify(input),
  );
});

test("an unwrapped input is edited as a whole", () => {
  const input = { title: "Lend lanterns", operation: "new" };
  expect(editableInputOf(input)).toEqual(input);
  expect(withEditedInput(input, { ...input, title: "Lend" })).toEqual({ ...input, title: "Lend" });
});
