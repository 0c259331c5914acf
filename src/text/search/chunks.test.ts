import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { splitLines } from "../strings/lines.ts";
import { type Chunk, embeddingInput, splitIntoChunks } from "./chunks.ts";

/** Each word and punctuation mark is a token, as in most models; long words have several. */
const countTokens = (text: string): number =>
  text.match(/[\p{L}\p{N}]{1,6}|[^\p{L}\p{N}\s]/gu)?.length ?? 0;

const cut = (text: string, maxTokens = 250): Chunk[] =>
  splitIntoChunks(splitLines(text), { countTokens, maxTokens });

const words = (count: number, word = "word"): string =>
  Array.from({ length: count }, (_, place) => `${word}${place % 10}`).join(" ");

/** Lines of five tokens each, with the given total. */
const codeLines = (tokens: number): string =>
  Array.from({ length: tokens / 5 }, (_, place) => `a${place % 10} = b;;`).join("\n");

const texts = (chunks: Chunk[]): string[] => chunks.map(({ text }) => text);

test("[search.chunks.cut] a chunk contains one section, with the headings above it", () => {
  expect(cut("intro\n\n# Guide\n\nfirst\n\nsecond\n\n## Install\n\nthird")).toEqual([
    { headings: [], line: 1, endLine: 1, text: "intro" },
    { headings: ["Guide"], line: 3, endLine: 7, text: "# Guide\n\nfirst\n\nsecond" },
    { headings: ["Guide", "Install"], line: 9, endLine: 11, text: "## Install\n\nthird" },
  ]);
});

test("[search.chunks.context] the model input contains the path once, and the text without its headings", () => {
  const text = `# Guide\n## Install\n\n${words(200, "one")}\n\n${words(200, "two")}`;
  const embedded = cut(text).map(embeddingInput);

  expect(embedded).toEqual([
    `Guide > Install\n${words(200, "one")}`,
    `Guide > Install\n${words(200, "two")}`,
  ]);
  expect(embeddingInput({ headings: ["Only"], text: "Only\n====" })).toBe("Only");
  expect(embeddingInput({ headings: [], text: "no path" })).toBe("no path");
});

test("a heading takes no space beside the path that names it", () => {
  const text = (count: number) => `# One\n\n## Two three\n\n${words(count)}`;

  // Three words and a punctuation mark.
  expect(cut(text(246))).toHaveLength(1);
  expect(cut(text(247))).toHaveLength(2);
});

test("[search.chunks.once] identical sections of two documents are embedded once", () => {
  const license = `## License\n\n${words(30)}`;
  const [, one] = cut(`# A\n\nx\n\n# Legal\n${license}`);
  const [, other] = cut(`${words(40)}\n\n\n# Legal\n\n\n${license}\n\n`);

  expect(one && embeddingInput(one)).toBe(other && embeddingInput(other));
});

describe("oversized text", () => {
  test("is split between paragraphs, and short ones are joined up to the limit", () => {
    const paragraphs = [100, 100, 49, 1, 100, 150].map((count, place) =>
      words(count, `p${place}x`),
    );

    expect(texts(cut(paragraphs.join("\n\n")))).toEqual([
      paragraphs.slice(0, 4).join("\n\n"),
      paragraphs.slice(4).join("\n\n"),
    ]);
  });

  test("is split between lines if a paragraph alone is too long", () => {
    const lines = Array.from({ length: 6 }, (_, place) => words(100, `l${place}x`));

    expect(texts(cut(lines.join("\n")))).toEqual([
      lines.slice(0, 2).join("\n"),
      lines.slice(2, 4).join("\n"),
      lines.slice(4).join("\n"),
    ]);
  });

  test("is split between sentences if a line alone is too long", () => {
    const sentences = [120, 120, 120].map((count, place) => `${words(count, `s${place}x`)}.`);
    const spaceless = "語".repeat(150);

    expect(texts(cut(sentences.join(" ")))).toEqual([
      `${sentences[0]} ${sentences[1]}`,
      sentences[2],
    ]);
    expect(texts(cut(`${spaceless}。${spaceless}。`, 30))).toEqual([
      `${spaceless}。`,
      `${spaceless}。`,
    ]);
  });

  test("is split between words if a sentence alone is too long", () => {
    const chunks = texts(cut(words(1_000)));

    expect(chunks.join(" ")).toBe(words(1_000));
    expect(chunks.length).toBeLessThanOrEqual(5);
  });

  test("[search.chunks.letters] is never split inside a surrogate pair", () => {
    const emoji = "😀".repeat(3_000);
    const chunks = texts(cut(`x${emoji}`));

    expect(chunks.join("")).toBe(`x${emoji}`);
    for (const text of chunks) expect(text.isWellFormed()).toBe(true);
    // A megabyte that the model reads as a single token must still be split.
    const one = splitIntoChunks([`x${emoji.repeat(20)}`], { countTokens: () => 1, maxTokens: 250 });
    expect(one.length).toBeGreaterThan(1);
    for (const { text } of one) expect(text.isWellFormed()).toBe(true);
  });
});

describe("[search.chunks.fences] a code fence that fits", () => {
  const fence = (tokens: number) => `\`\`\`\n${codeLines(tokens)}\n\n${codeLines(5)}\n\`\`\``;
  // Six heading marks and the last line.
  const whole = (tokens: number) => fence(tokens - 11);

  test("is kept whole, including blank lines, however little precedes it", () => {
    const code = whole(241);

    expect(texts(cut(`# A\n${words(100)}\n${code}\n${words(100)}`))).toEqual([
      `# A\n${words(100)}`,
      code,
      words(100),
    ]);
  });

  test("is kept whole in a list, where it is indented", () => {
    const code = whole(201).replaceAll(/^(?=.)/gm, "      ");

    const after = `${words(30)}\n${words(30)}`;

    expect(texts(cut(`${words(100)}\n\n1. step\n${code}\n2. step\n\n${after}`))).toEqual([
      `${words(100)}\n\n1. step`,
      `${code}\n2. step`,
      after,
    ]);
  });

  test("is kept whole if the preceding text makes a long section", () => {
    const code = whole(241);
    const before = Array.from({ length: 32 }, () => words(40)).join("\n\n");

    // A passage of the index would end within the fence.
    expect(before.length).toBeLessThan(8_000);
    expect(before.length + code.length).toBeGreaterThan(8_000);
    expect(texts(cut(`${before}\n\n${code}`)).at(-1)).toBe(code);
  });

  test("is kept whole by shortening its path, outer headings first", () => {
    const text = `# Outer heading\n\nx\n\n## Inner\n\n${words(200)}\n\n${whole(246)}`;

    expect(cut(text).at(-1)).toMatchObject({ headings: ["Inner"], text: whole(246) });
  });

  test("is kept whole without its heading", () => {
    const text = `# Heading of some length\n\n${whole(246)}`;

    expect(cut(text)).toMatchObject([
      { headings: ["Heading of some length"], text: "# Heading of some length" },
      { headings: [], text: whole(246) },
    ]);
  });

  test("ends at a marker as long as its own, and an unclosed one is split as text", () => {
    const inner = "```\nx\n```\n````md";
    const code = `\`\`\`\`md\n${inner}\n\n${codeLines(200)}\n\`\`\`\``;

    expect(texts(cut(`${words(100)}\n\n${code}`))[1]).toBe(code);
    expect(texts(cut(`\`\`\`\n${codeLines(600)}`)).length).toBe(3);
  });

  test("is not started by inline code on one line", () => {
    const text = `\`\`\`inline\`\`\` ${words(150)}\n\n${words(150)}`;

    expect(texts(cut(text))).toEqual(text.split("\n\n"));
  });
});

test("a fence that is too long is split between its lines", () => {
  const chunks = texts(cut(`\`\`\`\n${codeLines(1_000)}\n\`\`\``));

  expect(chunks.join("\n")).toBe(`\`\`\`\n${codeLines(1_000)}\n\`\`\``);
});

test("a path that would take more than half of the chunk loses its outer headings", () => {
  const paths = (outer: number, inner: number) =>
    cut(`# ${words(outer, "o")}\n## ${words(inner, "i")}\n\ntext`, 100).map(
      ({ headings }) => headings,
    );

  expect(paths(20, 20)).toEqual([[words(20, "o"), words(20, "i")]]);
  expect(paths(30, 30)).toEqual([[words(30, "i")]]);
  expect(paths(20, 60)).toEqual([[]]);
});

test("front matter is a separate block", () => {
  const matter = `---\ntitle: x\n\n# comment\ntags: ${words(200)}\n---`;

  expect(texts(cut(`${matter}\n${words(100)}`))).toEqual([matter, words(100)]);
});

test("an empty document has no chunks", () => {
  expect(cut("")).toEqual([]);
  expect(cut("\n \n\t\n")).toEqual([]);
  expect(cut(`word\n${" ".repeat(100_000)}x`, 10)).toHaveLength(2);
});

test("[search.chunks.economy] the token counter reads each character about once", () => {
  const paragraphs = Array.from({ length: 600 }, (_, place) => words(20 + ((place * 37) % 400)));
  const text = `# A\n\n${paragraphs.join("\n\n")}\n\n\`\`\`\n${codeLines(5_000)}\n\`\`\``;
  let shown = 0;
  const chunks = splitIntoChunks(splitLines(text), {
    countTokens(part) {
      shown += part.length;
      return countTokens(part);
    },
    maxTokens: 250,
  });

  expect(chunks.length).toBeGreaterThan(500);
  expect(shown / text.length).toBeLessThan(2);
});

test("the model's special tokens are counted once", () => {
  const lines = splitLines(`# A\n\n${Array.from({ length: 90 }, () => words(30)).join("\n\n")}`);
  const marked = (text: string) => countTokens(text) + 2;

  expect(splitIntoChunks(lines, { countTokens: marked, maxTokens: 250 })).toEqual(
    splitIntoChunks(lines, { countTokens, maxTokens: 248 }),
  );
});

describe("[search.chunks.whole] of any document", () => {
  const visible = (text: string) => text.replaceAll(/\s+/g, "");
  const line = fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 1, max: 60 }).map((count) => words(count)) },
    { weight: 3, arbitrary: fc.constant("") },
    fc.constantFrom("```", "```ts", "~~~", "    ```", "---", "===", "title: x", "   ", "\t\tcode"),
    fc.tuple(fc.integer({ min: 1, max: 6 }), fc.string({ maxLength: 12 })).map(([depth, title]) => {
      return `${"#".repeat(depth)} ${title.replaceAll(/[\r\n]/g, "")}`;
    }),
    fc.string({ unit: "binary", maxLength: 80 }).map((text) => text.replaceAll(/[\r\n]/g, " ")),
    fc.integer({ min: 1, max: 200 }).map((count) => "東京都。😀".repeat(count)),
    fc.integer({ min: 1, max: 900 }).map((count) => "x".repeat(count)),
  );
  const documents = fc.array(line, { maxLength: 60 });
  const counters: [string, (text: string) => number][] = [
    ["words and marks", countTokens],
    ["a quarter of the letters", (text) => Math.ceil(text.length / 4)],
    ["bytes and two marks", (text) => Buffer.byteLength(text) + 2],
  ];

  for (const [name, countTokens] of counters) {
    test(`nothing is lost or duplicated, line numbers are correct and the limit is kept, with ${name}`, () => {
      fc.assert(
        fc.property(documents, fc.integer({ min: 12, max: 250 }), (lines, maxTokens) => {
          const chunks = splitIntoChunks(lines, { countTokens, maxTokens });

          expect(chunks.map(({ text }) => visible(text)).join("")).toBe(visible(lines.join("\n")));
          let before = 1;
          for (const { line, endLine, text, headings } of chunks) {
            expect(line).toBeGreaterThanOrEqual(before);
            expect(text.trim()).not.toBe("");
            expect(lines.slice(line - 1, endLine).join("\n")).toContain(text);
            expect(endLine - line).toBe(text.split("\n").length - 1);
            expect(countTokens(embeddingInput({ headings, text }))).toBeLessThanOrEqual(maxTokens);
            before = endLine;
          }
        }),
        { numRuns: 300 },
      );
    });
  }
});
