import { readFileSync } from "node:fs";
import { Tokenizer } from "@huggingface/tokenizers";

/** Cuts texts into the pieces of words that a model knows by number. */
export interface WordPieces {
  /** At most so many, from the start of the text. */
  idsOf(text: string, most: number): number[];
  count(text: string): number;
  /** What stands before a text, and what ends it. */
  readonly opening: number;
  readonly closing: number;
}

export function openWordPieces(file: string): WordPieces {
  const tokenizer = new Tokenizer(JSON.parse(readFileSync(file, "utf8")), {});
  const known = new Map<string, readonly number[]>();

  /** The tokenizer looks at each word by itself, and texts say the same words again and again. */
  function piecesOf(word: string): readonly number[] {
    const found = known.get(word);
    if (found) return found;
    const { ids } = tokenizer.encode(word, { add_special_tokens: false });
    if (word.length <= longestKept) {
      if (known.size >= mostKept) known.clear();
      known.set(word, ids);
    }
    return ids;
  }

  function numberOf(token: string): number {
    const id = tokenizer.token_to_id(token);
    if (id === undefined) throw new Error(`The tokenizer has no ${token}.`);
    return id;
  }

  return {
    idsOf(text, most) {
      const ids: number[] = [];
      for (const [word] of text.matchAll(words)) {
        ids.push(...piecesOf(word.slice(0, longestWord)));
        if (ids.length >= most) return ids.slice(0, most);
      }
      return ids;
    },
    count(text) {
      let sum = 0;
      for (const [word] of text.matchAll(words)) sum += piecesOf(word).length;
      return sum;
    },
    opening: numberOf("[CLS]"),
    closing: numberOf("[SEP]"),
  };
}

/** The tokenizer takes some more signs for space; those it finds by itself. */
const words = /[^ \t\r\n]+/g;

/** What is written without spaces may go on for megabytes, of which a model sees the start. */
const longestWord = 10_000;

/** A longer part of a text would keep the whole text in memory. */
const longestKept = 12;
const mostKept = 50_000;
