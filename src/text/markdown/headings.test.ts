import fc from "fast-check";
import { expect, test } from "vitest";
import { cpuMs } from "../../../tests/fixtures/cpu-time.ts";
import { splitLines } from "../strings/lines.ts";
import { documentTitle, splitSections } from "./headings.ts";

const check = (text: string, expected: [line: number, headings: string[]][]) => {
  const sections = splitSections(splitLines(text));
  expect(sections.map(({ line, headings }) => [line, headings])).toEqual(expected);
};

test("a section knows its parent headings", () => {
  check("intro\n# A\nx\n## B\ny\n# C\nz", [
    [1, []],
    [2, ["A"]],
    [4, ["A", "B"]],
    [6, ["C"]],
  ]);
});

test("a heading inside a code fence is code", () => {
  check("# A\n```sh\n# not a heading\n```\n## B", [
    [1, ["A"]],
    [5, ["A", "B"]],
  ]);
});

test("a fence ends only at a marker at least as long as its own", () => {
  check("````\n```\n# code\n````\n# A", [
    [1, []],
    [5, ["A"]],
  ]);
});

test("underlined headings count, rules below a list or paragraph do not", () => {
  check("Title\n=====\n\n- item\n---\n\ntwo\nlines\n---\n", [[1, ["Title"]]]);
});

test("front matter is not a heading, and its title is the document's", () => {
  const lines = splitLines('---\ntitle: "A plan: two"\n---\n# Other');
  expect(documentTitle(lines, "x.md")).toBe("A plan: two");
  check("---\n# comment\n---\n# Other", [
    [1, []],
    [4, ["Other"]],
  ]);
});

test("unclosed front matter is text", () => {
  expect(documentTitle(splitLines("---\ntitle: no\n# Yes"), "x.md")).toBe("Yes");
});

test("without a heading the title is the file name", () => {
  expect(documentTitle(splitLines("words"), "folder/2026.plan.md")).toBe("2026.plan");
});

test.each([
  ["a heading with text before it", "Words.\n## Settings\nmore"],
  ["one of several headings", "## General\nwords\n### Sync\nwords\n## Publish\nwords"],
  ["a heading below others", "### One\n## Two"],
])("[search.titles.parts] %s is not the title of a note", (_, text) => {
  expect(documentTitle(splitLines(text), "vault/Bases syntax.md")).toBe("Bases syntax");
});

test.each([
  ["a heading above all of the text", "---\ntags: a\n---\n\n## Title\n### Part\n### Part"],
  ["a heading of level 1 below text", "Words.\n# Title\n# Other"],
  ["the first heading of a text with one of level 1", "Words.\n## Title\n# Other"],
])("[search.titles.parts] %s is the title", (_, text) => {
  expect(documentTitle(splitLines(text), "x.md")).toBe("Title");
});

test("closing markers of a heading are not part of it", () => {
  expect(documentTitle(splitLines("## C# and F# ##"), "x.md")).toBe("C# and F#");
});

test("[search.passages.bounded] sections are split into passages within the size limit, without losing text", () => {
  const lines = [
    "# A",
    ...Array.from({ length: 3_000 }, (_, n) => `line ${n}`),
    "x".repeat(20_000),
    "last",
  ];
  const sections = splitSections(lines);

  expect(Math.max(...sections.map(({ text }) => text.length))).toBeLessThanOrEqual(8_000);
  expect(
    sections
      .map(({ text }) => text)
      .join("")
      .replaceAll("\n", ""),
  ).toBe(lines.join(""));
  for (const { line, endLine, text, headings } of sections) {
    expect(headings).toEqual(["A"]);
    expect(lines.slice(line - 1, endLine).join("\n")).toContain(text);
  }
});

test("a line of spaces only is parsed in linear time", () => {
  const matter = `title: a${" ".repeat(300_000)}b`;
  const started = cpuMs();
  documentTitle(["---", matter, "---", `# ${" ".repeat(300_000)}\u2028`], "x.md");

  expect(cpuMs() - started).toBeLessThan(5_000);
});

test("line numbers are the same for every kind of line end", () => {
  check("a\r\n# B\r\nc\r# D\n", [
    [1, []],
    [2, ["B"]],
    [4, ["D"]],
  ]);
});

test("a heading followed only by another is joined to its section", () => {
  const [section, ...others] = splitSections(splitLines("# A\n\n## B\n\ntext"));

  expect(others).toEqual([]);
  expect(section).toEqual({
    headings: ["A", "B"],
    line: 1,
    endLine: 5,
    text: "# A\n\n## B\n\ntext",
  });
});

test("[search.hostile.bounded] a huge title or heading is truncated at a character boundary", () => {
  const [title] = [documentTitle([`# ${"😀".repeat(500)}`], "x.md")];
  expect(title).toBe("😀".repeat(150));
  expect(documentTitle([`# x${"😀".repeat(500)}`], "x.md")).toBe(`x${"😀".repeat(149)}`);
  expect(splitSections([`# ${"y".repeat(9_000)}`, "text"]).at(-1)?.headings).toEqual([
    "y".repeat(300),
  ]);
  expect(documentTitle(["---", `title: ${"z".repeat(900)}`, "---"], "x.md")).toHaveLength(300);
});

test("a line of a million characters and a hundred thousand headings are split into sections", () => {
  const line = "灯台 tower ".repeat(100_000);
  const pieces = splitSections(["# A", line]);
  expect(pieces.map(({ text }) => text).join("")).toBe(`# A${line}`);
  expect(new Set(pieces.map(({ endLine }) => endLine))).toEqual(new Set([1, 2]));

  const many = Array.from({ length: 100_000 }, (_, place) => `# ${place}`);
  const sections = splitSections(many);
  expect(sections).toHaveLength(100_000);
  expect(sections.at(-1)).toMatchObject({ headings: ["99999"], line: 100_000, endLine: 100_000 });
});

test("every line of any text is in exactly one section, in order", () => {
  const line = fc.oneof(
    fc.constantFrom(
      "# A",
      "## B",
      "### C",
      "###### D",
      "```",
      "~~~~",
      "---",
      "===",
      "",
      "  ",
      "text",
    ),
    fc.string({ maxLength: 20 }),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
      let after = 0;
      for (const { line, endLine, text } of splitSections(lines)) {
        expect(line).toBeGreaterThan(after);
        expect(lines.slice(line - 1, endLine).join("\n")).toBe(text);
        expect(
          lines
            .slice(after, line - 1)
            .join("")
            .trim(),
        ).toBe("");
        after = endLine;
      }
      expect(lines.slice(after).join("").trim()).toBe("");
    }),
  );
});

test("inline code in backticks is not a fence", () => {
  const lines = ["# One", "```code```", "", "# Two"];

  expect(splitSections(lines).map(({ headings }) => headings)).toEqual([["One"], ["Two"]]);
});
