import fc from "fast-check";
import { expect, test } from "vitest";
import { numberLines, splitLines } from "../strings/lines.ts";
import { createSnippet } from "./snippet.ts";
import { tokenize } from "./tokens.ts";

test("[search.snippet.lines] a snippet has the line numbers of the file", () => {
  const { line, lines } = createSnippet("one\ntwo\nthe wanted word\nfour", new Set(["want"]), 41);

  expect(numberLines(lines, line)).toBe("42: two\n43: the wanted word\n44: four");
});

test("[search.snippet.length] a snippet has at most 300 characters of text", () => {
  const long = Array.from({ length: 50 }, (_, index) => `line ${index} with some words`).join("\n");
  const { lines } = createSnippet(long, new Set(["30"]), 1);

  expect(lines.join("\n").length).toBeLessThanOrEqual(300);
  expect(lines.some((line) => line.includes("line 30"))).toBe(true);
});

test("a long line is shown around its match, without splitting a surrogate pair", () => {
  const line = `${"😀".repeat(400)}needle${"😀".repeat(400)}`;
  const { lines } = createSnippet(line, new Set(["needl"]), 1);

  expect(lines[0]).toContain("needle");
  expect(lines[0]?.isWellFormed()).toBe(true);
});

test("[search.snippet.length] the line before the best one never exceeds the snippet limit", () => {
  for (const before of [150, 218, 219, 220, 260, 299, 300, 301]) {
    const text = `${"p".repeat(before)}\n${"x ".repeat(300)}needle ${"y ".repeat(300)}`;
    const { line, lines } = createSnippet(text, new Set(["needl"]), 1);

    expect(lines.join("\n").length).toBeLessThanOrEqual(300);
    expect(lines.join("\n")).toContain("needle");
    expect(text.split("\n")[line - 1]).toContain(lines[0]?.replace(/^…|…$/g, ""));
  }
});

test("a snippet is chosen by the number of distinct words in a line, not by their frequency", () => {
  const { line } = createSnippet(
    "lamp lamp lamp lamp\n\nthe lamp of the tower",
    new Set(["lamp", "tower"]),
    1,
  );

  expect(line).toBe(3);
});

test("a text without a match is shown from its start", () => {
  expect(createSnippet("first\nsecond", new Set(["whale"]), 7)).toEqual({
    line: 7,
    matchLine: 7,
    lines: ["first", "second"],
  });
  expect(createSnippet("", new Set(), 1)).toEqual({ line: 1, matchLine: 1, lines: [""] });
});

test("for any text and words the lines are the text's, with correct numbers", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ maxLength: 400 }), { maxLength: 5 }).map((lines) => lines.join("\n")),
      fc.array(fc.string({ minLength: 1 })),
      (text, words) => {
        const all = splitLines(text);
        const { line, lines } = createSnippet(text, new Set(words.flatMap(tokenize)), 1);
        expect(lines.join("\n").length).toBeLessThanOrEqual(300);
        for (const [offset, shown] of lines.entries()) {
          const whole = all[line - 1 + offset] ?? "";
          expect(whole.includes(shown) || whole.includes(shown.replace(/^…|…$/g, ""))).toBe(true);
        }
      },
    ),
  );
});

test("[search.snippet.ellipsis] a long line is cut between words, and the cuts are marked", () => {
  const line = `${"before ".repeat(100)}the needle ${"behind ".repeat(100)}`;
  const [shown = ""] = createSnippet(line, new Set(["needl"]), 1).lines;

  expect(shown).toMatch(/^…before (.*)behind…$/);
  expect(shown).toContain("the needle");
  expect(createSnippet(`needle ${"x".repeat(400)}`, new Set(["needl"]), 1).lines[0]).toMatch(
    /^needle x+…$/,
  );
});

test("[search.snippet.prose] a sentence is shown rather than a link of the same words", () => {
  const text = "- [Lamp tower](a.md)\n- [Lamp](b.md)\n\nThe lamp is lit at dusk.\n";

  expect(createSnippet(text, new Set(["lamp", "tower"]), 1).matchLine).toBe(1);
  expect(createSnippet(text, new Set(["lamp"]), 1).matchLine).toBe(4);
});

test.each([
  ['{{< glossary_tooltip text="Lamp tower" term_id="lamp" >}}'],
  ['{{CSSRef("Lamp")}} {{Glossary("Lamp tower")}}'],
  ["{% data reusables.lamp-tower %}"],
  ["<!-- lamp tower -->"],
])("[search.snippet.prose] a sentence is shown rather than %s", (macro) => {
  const text = `${macro}\n\nA lamp.\n\nThe tower has a lamp.\n`;

  expect(createSnippet(text, new Set(["lamp", "tower"]), 1).matchLine).toBe(5);
  expect(createSnippet(`${macro}\n\nA lamp.`, new Set(["lamp", "tower"]), 1).matchLine).toBe(3);
  expect(createSnippet(`${macro}\nA lamp.`, new Set(["lamp"]), 1)).toMatchObject({ line: 2 });
  expect(createSnippet(`${macro}\n\nNothing.`, new Set(["lamp"]), 1).matchLine).toBe(1);
});

test("[search.snippet.prose] a sentence with a macro is prose", () => {
  const text = 'The tower.\n\nIf a {{< tooltip term_id="lamp" >}} of the tower goes out, light it.';

  expect(createSnippet(text, new Set(["lamp", "tower"]), 1).matchLine).toBe(3);
});

test("[search.snippet.prose] the text is shown rather than the front matter", () => {
  const text = "---\ntitle: Lamp tower\n---\nA lamp.\n\nIt stands.\n";
  const wanted = new Set(["lamp", "tower"]);

  expect(createSnippet(text, wanted, 1)).toMatchObject({ line: 4, matchLine: 4 });
  expect(createSnippet(text, wanted, 20).matchLine).toBe(21);
  expect(createSnippet(text, new Set(["titl"]), 1).matchLine).toBe(2);
  expect(createSnippet("---\nlamp\n\nA lamp.", new Set(["lamp"]), 1).matchLine).toBe(2);
});

test("[search.names.highlight] a snippet is chosen by parts of names and by symbols", () => {
  const text = "nothing\n\nCall getUserProfile here.\n\nUse --dry-run there.";

  expect(createSnippet(text, new Set(["profil"]), 1).matchLine).toBe(3);
  expect(createSnippet(text, new Set(["--dry-run"]), 1).matchLine).toBe(5);
});
