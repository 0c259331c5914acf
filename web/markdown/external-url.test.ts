import { expect, test } from "vitest";
import { externalUrl } from "./external-url.ts";

test("only http, https and mailto are allowed, however another scheme is disguised", () => {
  expect(externalUrl("https://example.org/a?b#c")).toBe("https://example.org/a?b#c");
  expect(externalUrl("//example.org")).toBe("https://example.org/");
  expect(externalUrl("mailto:keeper@example.org")).toBe("mailto:keeper@example.org");
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
    expect(externalUrl(address), address).toBeUndefined();
  }
});
