import { readFileSync } from "node:fs";
import { Tokenizer } from "@huggingface/tokenizers";

/** Cuts texts into the pieces of words that a model knows by number. */
export interface WordPieces {
  /** At most so many, from the start of the text. */
  idsOf(text: string, most: number): number[];
  count(text: string): number;
  /** What a model was taught to see around a text, and around two of them. */
  readonly marks: {
    alone: { before: number[]; after: number[] };
    pair: { before: number[]; between: number[]; after: number[] };
  };
}

export function openWordPieces(file: string): WordPieces {
  const described = JSON.parse(readFileSync(file, "utf8"));
  const tokenizer = new Tokenizer(described, {});
  const known = new Map<string, readonly number[]>();
  const idsIn = (text: string): number[] =>
    tokenizer.encode(text, { add_special_tokens: false }).ids;
  const marks = marksOf(tokenizer);
  // Other tokenizers take the space before a word for a part of it.
  if (described.pre_tokenizer?.type !== "BertPreTokenizer") {
    return {
      idsOf: (text, most) => idsIn(text.slice(0, most * lettersOfPiece)).slice(0, most),
      count: (text) => idsIn(text).length,
      marks,
    };
  }

  /** This tokenizer looks at each word by itself, and texts say the same words again and again. */
  function piecesOf(word: string): readonly number[] {
    const found = known.get(word);
    if (found) return found;
    const ids = idsIn(word);
    if (word.length <= longestKept) {
      if (known.size >= mostKept) known.clear();
      known.set(word, ids);
    }
    return ids;
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
    marks,
  };
}

/** Found by looking at what stands around two words. */
function marksOf(tokenizer: Tokenizer): WordPieces["marks"] {
  const plain = (text: string) => tokenizer.encode(text, { add_special_tokens: false }).ids;
  const [one, two] = [plain("a"), plain("b")];
  const alone = around(tokenizer.encode("a").ids, one);
  const first = around(tokenizer.encode("a", { text_pair: "b" }).ids, one);
  const second = around(first.after, two);
  return {
    alone,
    pair: { before: first.before, between: second.before, after: second.after },
  };
}

function around(ids: number[], inner: readonly number[]): { before: number[]; after: number[] } {
  const at = ids.findIndex((_, start) => inner.every((id, place) => ids[start + place] === id));
  if (at < 0) throw new Error("The tokenizer changes a text that stands between its marks.");
  return { before: ids.slice(0, at), after: ids.slice(at + inner.length) };
}

/** The tokenizer takes some more signs for space; those it finds by itself. */
const words = /[^ \t\r\n]+/g;

/** What is written without spaces may go on for megabytes, of which a model sees the start. */
const longestWord = 10_000;

/** Hardly a piece is longer, and a text goes on for much longer than a model reads. */
const lettersOfPiece = 32;

/** A longer part of a text would keep the whole text in memory. */
const longestKept = 12;
const mostKept = 50_000;
