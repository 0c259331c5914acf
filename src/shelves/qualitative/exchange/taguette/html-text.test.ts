import { expect, test } from "vitest";
import { parseSimpleHtml } from "./html-text.ts";

test("a position in a long text is found by its byte offset, after any characters", () => {
  const before = "é😀".repeat(5_000);
  const { text, toTextRange } = parseSimpleHtml(`<pre>${before}here and there</pre>`);
  const start = Buffer.byteLength(before);

  const found = toTextRange(start, start + Buffer.byteLength("here and"));

  expect(text.slice(found.start, found.end)).toBe("here and");
});
