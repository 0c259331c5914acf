import { expect, test } from "vitest";
import { splitLines } from "../strings/lines.ts";
import { frontmatterFacts } from "./frontmatter.ts";
import { setFrontmatterBlock } from "./frontmatter-edits.ts";

const values = { last_updated: "2026-01-01", auto_updated: false };

test("a page without front matter gets it at the top", () => {
  expect(setFrontmatterBlock("# A\r\n", "documcp", values)).toBe(
    '---\r\ndocumcp:\r\n  last_updated: "2026-01-01"\r\n  auto_updated: false\r\n---\r\n\r\n# A\r\n',
  );
  expect(setFrontmatterBlock("\uFEFF# A", "documcp", values)?.startsWith("\uFEFF---\n")).toBe(true);
});

test("a block is merged with existing front matter, value by value", () => {
  const page =
    "---\ntitle: A # kept\ndocumcp:\n    own: 1\n    last_updated: old\ntags: [a]\n---\nBody";
  expect(setFrontmatterBlock(page, "documcp", values)).toBe(
    '---\ntitle: A # kept\ndocumcp:\n    auto_updated: false\n    own: 1\n    last_updated: "2026-01-01"\ntags: [a]\n---\nBody',
  );
  const joined = setFrontmatterBlock("---\ntitle: A\n---\nBody", "documcp", values) ?? "";
  expect(frontmatterFacts(splitLines(joined))).toContainEqual({
    key: "documcp.last_updated",
    value: "2026-01-01",
  });
  expect(joined.endsWith("---\nBody")).toBe(true);
});

test("a value that cannot be set without loss is left unchanged", () => {
  expect(setFrontmatterBlock("---\ndocumcp: { a: 1 }\n---\n", "documcp", values)).toBeUndefined();
  expect(setFrontmatterBlock("+++\na = 1\n+++\n", "documcp", values)).toBeUndefined();
  expect(setFrontmatterBlock("---\nnever closed\n", "documcp", values)).toBeUndefined();
});

test("setting twice changes nothing more", () => {
  const once = setFrontmatterBlock("# A\n", "documcp", values) ?? "";
  expect(setFrontmatterBlock(once, "documcp", values)).toBe(once);
});
