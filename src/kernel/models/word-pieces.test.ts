import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Tokenizer } from "@huggingface/tokenizers";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { builtModels } from "../../../tests/fixtures/models.ts";
import { openWordPieces, type WordPieces } from "./word-pieces.ts";

let models: Awaited<ReturnType<typeof builtModels>>;
let pieces: WordPieces;
let whole: Tokenizer;

beforeAll(async () => {
  models = await builtModels();
  const file = join(models.folder, "minilm", "tokenizer.json");
  pieces = openWordPieces(file);
  whole = new Tokenizer(JSON.parse(readFileSync(file, "utf8")), {});
});

afterAll(() => models.remove());

const wholeIds = (text: string): number[] => whole.encode(text, { add_special_tokens: false }).ids;

test("[search.model.tokens] word by word a text comes to the pieces of the whole", () => {
  const odd = [
    "a\vb",
    "a\u2028b",
    "a\u00a0b",
    "x\u0301 y",
    "[SEP]",
    "[CLS]x",
    "ΟΔΟΣ ΣΑΣ",
    "İ",
    "日本 語",
  ];
  const part = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 20 }),
    fc.constantFrom(
      " ",
      "\n",
      "\r\n",
      "\t",
      "  ",
      ...odd,
      "the",
      "naïve",
      "```ts",
      "e-mail",
      "U.S.",
    ),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const text = parts.join("");
      expect(pieces.idsOf(text, 10_000)).toEqual(wholeIds(text));
      expect(pieces.count(text)).toBe(wholeIds(text).length);
    }),
    { numRuns: 500 },
  );
});

test("a text is cut after as many pieces as are wanted, wherever its words end", () => {
  const text = "unbelievable circumstances ".repeat(30);
  const all = wholeIds(text);
  for (const most of [0, 1, 2, 3, 50]) {
    expect(pieces.idsOf(text, most), `${most}`).toEqual(all.slice(0, most));
  }
});

test("of a text without spaces only the start is looked at, and all of it is counted", () => {
  const text = "日本語".repeat(20_000);

  expect(pieces.idsOf(text, 254)).toEqual(wholeIds("日本語".repeat(100)).slice(0, 254));
  expect(pieces.count(text)).toBe(60_000);
});

test("the marks at both ends of a text have their numbers", () => {
  expect([pieces.opening, pieces.closing]).toEqual([101, 102]);
});
