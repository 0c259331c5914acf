import { expect, test } from "vitest";
import { outside } from "./outside.ts";

test("only pages and letters can be led to, however another address is disguised", () => {
  expect(outside("https://example.org/a?b#c")).toBe("https://example.org/a?b#c");
  expect(outside("//example.org")).toBe("https://example.org/");
  expect(outside("mailto:keeper@example.org")).toBe("mailto:keeper@example.org");
  for (const address of [
    "javascript:alert(1)",
    " JaVaScRiPt:alert(1)",
    "java\nscript:alert(1)",
    "\u0001javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "blob:https://example.org/1",
    "file:///etc/passwd",
    "view-source:https://example.org",
    "notes/a.md",
    "",
  ]) {
    expect(outside(address), address).toBeUndefined();
  }
});
