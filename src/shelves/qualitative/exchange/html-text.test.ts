import { expect, test } from "vitest";
import { readHtml } from "./html-text.ts";

test("a place in a long text is found by its bytes, whatever letters come before it", () => {
  const before = "é😀".repeat(5_000);
  const { text, place } = readHtml(`<pre>${before}here and there</pre>`);
  const start = Buffer.byteLength(before);

  const found = place(start, start + Buffer.byteLength("here and"));

  expect(text.slice(found.start, found.end)).toBe("here and");
});
