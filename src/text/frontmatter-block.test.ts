import { expect, test } from "vitest";
import { factsOf } from "./frontmatter.ts";
import { withBlock } from "./frontmatter-block.ts";
import { linesOf } from "./lines.ts";

const values = { last_updated: "2026-01-01", auto_updated: false };

test("a page without front matter gets it, before everything else", () => {
  expect(withBlock("# A\r\n", "documcp", values)).toBe(
    '---\r\ndocumcp:\r\n  last_updated: "2026-01-01"\r\n  auto_updated: false\r\n---\r\n\r\n# A\r\n',
  );
  expect(withBlock("\uFEFF# A", "documcp", values)?.startsWith("\uFEFF---\n")).toBe(true);
});

test("a block joins what is there, or is changed value by value", () => {
  const page =
    "---\ntitle: A # kept\ndocumcp:\n    own: 1\n    last_updated: old\ntags: [a]\n---\nBody";
  expect(withBlock(page, "documcp", values)).toBe(
    '---\ntitle: A # kept\ndocumcp:\n    auto_updated: false\n    own: 1\n    last_updated: "2026-01-01"\ntags: [a]\n---\nBody',
  );
  const joined = withBlock("---\ntitle: A\n---\nBody", "documcp", values) ?? "";
  expect(factsOf(linesOf(joined))).toContainEqual({
    key: "documcp.last_updated",
    value: "2026-01-01",
  });
  expect(joined.endsWith("---\nBody")).toBe(true);
});

test("what cannot be set without a loss is left alone", () => {
  expect(withBlock("---\ndocumcp: { a: 1 }\n---\n", "documcp", values)).toBeUndefined();
  expect(withBlock("+++\na = 1\n+++\n", "documcp", values)).toBeUndefined();
  expect(withBlock("---\nnever closed\n", "documcp", values)).toBeUndefined();
});

test("setting twice changes nothing more", () => {
  const once = withBlock("# A\n", "documcp", values) ?? "";
  expect(withBlock(once, "documcp", values)).toBe(once);
});
