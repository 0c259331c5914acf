import { grown } from "../../text/column.ts";
import type { BlockEntry } from "./blocks.ts";
import { longestPosting, scaled, writePosting } from "./postings.ts";
import { makeRoom, nothingWritten } from "./varint.ts";

/**
 * The postings of one batch of passages. They come by passage and are kept by token, so they are
 * noted in columns as they come, and put in order once at the end. Tokens go by their numbers.
 *
 * ```
 * passage   8        9              token   1       4       7
 * tokens    4 1 4    7 1      →             8, 9    8 8     9
 * ```
 */
export interface Gathering {
  /** A passage that comes behind all others: the tokens of its body, and of its other fields. */
  add(passage: number, body: Int32Array, marks: readonly Mark[]): void;
  /** Ends all lists. */
  packed(tokenOf: (number: number) => string): Packed;
  /** The first passage; nothing where none has a token. */
  first(): number | undefined;
  clear(): void;
}

/** Tokens that stand in a field before the body, which has this bit: see `placeOf`. */
export interface Mark {
  place: number;
  tokens: Int32Array;
}

/** Lists that are ended, and how many postings they hold together. */
export interface Packed {
  entries: BlockEntry[];
  postings: number;
}

export function openGathering(): Gathering {
  // One row for each posting: its token, and how often and where that stands in the passage.
  let tokens = new Int32Array(0);
  let values = new Int32Array(0);
  let rows = 0;
  // One for each passage: its number, the scale of its length, and the row behind its last.
  let passages: number[] = [];
  let scales: number[] = [];
  let ends: number[] = [];
  /** By token, what its posting in the passage at hand has become so far. */
  let growing = new Int32Array(0);
  let highest = -1;

  return {
    add(passage, body, marks) {
      const start = rows;
      for (let at = 0; at < body.length; at++) grow(body[at] ?? 0, 1, 0);
      for (const { place, tokens } of marks) {
        for (let at = 0; at < tokens.length; at++) grow(tokens[at] ?? 0, 0, place);
      }
      if (rows === start) return;
      values = grown(values, rows);
      for (let row = start; row < rows; row++) {
        const token = tokens[row] ?? 0;
        values[row] = growing[token] ?? 0;
        growing[token] = 0;
      }
      passages.push(passage);
      scales.push(scaled(body.length));
      ends.push(rows);
    },
    packed(tokenOf) {
      const starts = startsByToken();
      const places = new Int32Array(rows);
      const sorted = new Int32Array(rows);
      for (let place = 0, row = 0; place < passages.length; place++) {
        for (const end = ends[place] ?? 0; row < end; row++) {
          const token = tokens[row] ?? 0;
          const at = starts[token] ?? 0;
          starts[token] = at + 1;
          places[at] = place;
          sorted[at] = values[row] ?? 0;
        }
      }
      // By now each token's start has moved on to its end.
      const written = nothingWritten();
      makeRoom(written, rows * longestPosting);
      const entries: BlockEntry[] = [];
      for (let token = 0, at = 0; token <= highest; token++) {
        const end = starts[token] ?? 0;
        if (at === end) continue;
        const { at: start } = written;
        for (let before = 0; at < end; at++) {
          const place = places[at] ?? 0;
          const passage = passages[place] ?? 0;
          writePosting(written, passage - before, sorted[at] ?? 0, scales[place] ?? 0);
          before = passage;
        }
        entries.push({ term: tokenOf(token), list: written.bytes.subarray(start, written.at) });
      }
      return { entries, postings: rows };
    },
    first: () => passages[0],
    clear() {
      // One large file must not hold its room for ever.
      tokens = new Int32Array(0);
      values = new Int32Array(0);
      growing = new Int32Array(0);
      passages = [];
      scales = [];
      ends = [];
      rows = 0;
      highest = -1;
    },
  };

  /** Adds to the posting of a token: eight for each time in the body, a bit for another field. */
  function grow(token: number, times: number, place: number): void {
    growing = grown(growing, token + 1);
    const before = growing[token] ?? 0;
    growing[token] = (before + times * 8) | place;
    if (before !== 0) return;
    tokens = grown(tokens, rows + 1);
    tokens[rows++] = token;
    highest = Math.max(highest, token);
  }

  /** Where the rows of each token begin when they are in the order of their tokens. */
  function startsByToken(): Int32Array {
    const starts = new Int32Array(highest + 2);
    for (let row = 0; row < rows; row++) {
      const next = (tokens[row] ?? 0) + 1;
      starts[next] = (starts[next] ?? 0) + 1;
    }
    for (let token = 0; token <= highest; token++) {
      starts[token + 1] = (starts[token + 1] ?? 0) + (starts[token] ?? 0);
    }
    return starts;
  }
}
