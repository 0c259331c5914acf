import { readFileSync } from "node:fs";
import { Tokenizer } from "@huggingface/tokenizers";

/** Turns texts into the token ids of a model. */
export interface ModelTokenizer {
  /** The first `maxTokens` ids of a text. */
  encode(text: string, maxTokens: number): number[];
  countTokens(text: string): number;
  /** The special tokens around a text, and around a pair of texts. */
  readonly specialTokens: {
    alone: { before: number[]; after: number[] };
    pair: { before: number[]; between: number[]; after: number[] };
  };
}

export function openModelTokenizer(file: string): ModelTokenizer {
  const description = JSON.parse(readFileSync(file, "utf8"));
  const tokenizer = new Tokenizer(description, {});
  const cache = new Map<string, readonly number[]>();
  const idsIn = (text: string): number[] =>
    tokenizer.encode(text, { add_special_tokens: false }).ids;
  const specialTokens = findSpecialTokens(tokenizer);
  // Other tokenizers treat the space before a word as part of it, so words cannot be cached.
  if (description.pre_tokenizer?.type !== "BertPreTokenizer") {
    return {
      encode: (text, maxTokens) =>
        idsIn(text.slice(0, maxTokens * maxCharsPerToken)).slice(0, maxTokens),
      countTokens: (text) => idsIn(text).length,
      specialTokens,
    };
  }

  /** BERT tokenizes each word independently, so the ids of frequent words are cached. */
  function tokenIdsOfWord(word: string): readonly number[] {
    const cached = cache.get(word);
    if (cached) return cached;
    const ids = idsIn(word);
    if (word.length <= maxCachedWordLength) {
      if (cache.size >= maxCachedWords) cache.clear();
      cache.set(word, ids);
    }
    return ids;
  }

  return {
    encode(text, maxTokens) {
      const ids: number[] = [];
      for (const [word] of text.matchAll(wordPattern)) {
        ids.push(...tokenIdsOfWord(word.slice(0, maxWordLength)));
        if (ids.length >= maxTokens) return ids.slice(0, maxTokens);
      }
      return ids;
    },
    countTokens(text) {
      let sum = 0;
      for (const [word] of text.matchAll(wordPattern)) sum += tokenIdsOfWord(word).length;
      return sum;
    },
    specialTokens,
  };
}

/** Encodes sample texts with special tokens and looks for the tokens around them. */
function findSpecialTokens(tokenizer: Tokenizer): ModelTokenizer["specialTokens"] {
  const plain = (text: string) => tokenizer.encode(text, { add_special_tokens: false }).ids;
  const [a, b] = [plain("a"), plain("b")];
  const alone = around(tokenizer.encode("a").ids, a);
  const first = around(tokenizer.encode("a", { text_pair: "b" }).ids, a);
  const second = around(first.after, b);
  return {
    alone,
    pair: { before: first.before, between: second.before, after: second.after },
  };
}

function around(ids: number[], inner: readonly number[]): { before: number[]; after: number[] } {
  const at = ids.findIndex((_, start) => inner.every((id, offset) => ids[start + offset] === id));
  if (at < 0) throw new Error("The tokenizer changes a text between special tokens.");
  return { before: ids.slice(0, at), after: ids.slice(at + inner.length) };
}

/** The tokenizer itself splits at further whitespace characters. */
const wordPattern = /[^ \t\r\n]+/g;

/** Text without spaces may be megabytes long, and a model reads only its start. */
const maxWordLength = 10_000;

/** Tokens are rarely longer, so this many characters per token are always enough. */
const maxCharsPerToken = 32;

/** V8 may store a longer substring as a slice, which would keep the whole text in memory. */
const maxCachedWordLength = 12;
const maxCachedWords = 50_000;
