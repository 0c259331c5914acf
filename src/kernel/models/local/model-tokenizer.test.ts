import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Tokenizer } from "@huggingface/tokenizers";
import fc from "fast-check";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { builtModels } from "../../../../tests/fixtures/search/models.ts";
import { type ModelTokenizer, openModelTokenizer } from "./model-tokenizer.ts";

let models: Awaited<ReturnType<typeof builtModels>>;
let pieces: ModelTokenizer;
let whole: Tokenizer;

beforeAll(async () => {
  models = await builtModels();
  const file = join(models.folder, "minilm", "tokenizer.json");
  pieces = openModelTokenizer(file);
  whole = new Tokenizer(JSON.parse(readFileSync(file, "utf8")), {});
});

afterAll(() => models.remove());

const wholeIds = (text: string): number[] => whole.encode(text, { add_special_tokens: false }).ids;

test("[search.model.tokens] tokenizing word by word gives the same tokens as the whole text", () => {
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
      expect(pieces.encode(text, 10_000)).toEqual(wholeIds(text));
      expect(pieces.countTokens(text)).toBe(wholeIds(text).length);
    }),
    { numRuns: 500 },
  );
});

test("a text is truncated to the maximum number of tokens, even inside a word", () => {
  const text = "unbelievable circumstances ".repeat(30);
  const all = wholeIds(text);
  for (const most of [0, 1, 2, 3, 50]) {
    expect(pieces.encode(text, most), `${most}`).toEqual(all.slice(0, most));
  }
});

test("of a text without spaces only the start is tokenized, and all of it is counted", () => {
  const text = "日本語".repeat(20_000);

  expect(pieces.encode(text, 254)).toEqual(wholeIds("日本語".repeat(100)).slice(0, 254));
  expect(pieces.countTokens(text)).toBe(60_000);
});

test("the special tokens of texts and pairs are those of the model's training", () => {
  expect(pieces.specialTokens).toEqual({
    alone: { before: [101], after: [102] },
    pair: { before: [101], between: [102], after: [102] },
  });
});

/** A byte-level BPE tokenizer: a token includes the space before the word. */
const spaced = {
  version: "1.0",
  added_tokens: [],
  normalizer: null,
  decoder: null,
  pre_tokenizer: { type: "Metaspace", replacement: "▁", prepend_scheme: "always", split: true },
  post_processor: {
    type: "TemplateProcessing",
    single: [special("<s>", 0), part("A", 0), special("</s>", 0)],
    pair: [
      ...[special("<s>", 0), part("A", 0), special("</s>", 0)],
      ...[special("</s>", 0), part("B", 0), special("</s>", 0)],
    ],
    special_tokens: {
      "<s>": { id: "<s>", ids: [0], tokens: ["<s>"] },
      "</s>": { id: "</s>", ids: [1], tokens: ["</s>"] },
    },
  },
  model: {
    type: "Unigram",
    unk_id: 2,
    vocab: ["<s>", "</s>", "<unk>", "▁", "▁lamp", "lamp", "▁a", "a", "b", "▁b"].map((piece) => [
      piece,
      -1,
    ]),
  },
};

function special(id: string, type_id: number) {
  return { SpecialToken: { id, type_id } };
}

function part(id: string, type_id: number) {
  return { Sequence: { id, type_id } };
}

test("[search.models.folder] a tokenizer that treats spaces as parts of words is given whole texts", () => {
  const folder = mkdtempSync(join(tmpdir(), "lectern-tokens-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "tokenizer.json");
  writeFileSync(file, JSON.stringify(spaced));
  const other = openModelTokenizer(file);

  expect(other.specialTokens).toEqual({
    alone: { before: [0], after: [1] },
    pair: { before: [0], between: [1, 1], after: [1] },
  });
  expect(other.encode("lamp lamp a", 10)).toEqual([4, 4, 6]);
  expect(other.encode("lamp lamp a", 2)).toEqual([4, 4]);
  expect(other.countTokens("lamp lamp a")).toBe(3);
});
