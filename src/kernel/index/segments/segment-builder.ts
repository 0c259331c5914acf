import { elementAt } from "../../../text/arrays/element-at.ts";
import { columnAt, growColumn, type IntColumn } from "../../../text/arrays/growable-column.ts";
import { int32At, numberAt } from "../../../text/arrays/typed-element-at.ts";
import type { TokenStream } from "../../../text/search/lexicon.ts";
import { clearListColumn, createListColumn, endList, type ListColumn } from "./list-column.ts";
import { copyPackedRow, maxPackedBytes, maxRowBytes, packRow } from "./positions.ts";
import {
  fieldBits,
  frequencyUnit,
  maxPostingBytes,
  quantiseLength,
  writePosting,
} from "./postings.ts";
import { type ByteWriter, createByteWriter, ensureCapacity } from "./varint.ts";

/**
 * Collects the postings of one batch of passages. They arrive by passage and are stored by token, so
 * they are appended to columns and sorted once at the end, by a counting sort. Tokens are numbers.
 *
 * ```
 * passage   8        9              token   1       4       7
 * tokens    4 1 4    7 1      →             8, 9    8 8     9
 * ```
 */
export interface SegmentBuilder {
  /**
   * Adds the tokens of a passage's body and other fields. Passages must come in ascending order.
   * `length` is the length of the body by which its frequencies are judged.
   */
  add(passage: number, body: TokenStream, fields: readonly FieldTokens[], length?: number): void;
  /**
   * Sorts the postings and encodes the lists of each token, in buffers that the next batch uses
   * again.
   */
  build(tokenOf: (number: number) => string): BuiltSegment;
  /** The first passage that has a token, if there is one. */
  firstPassage(): number | undefined;
  clear(): void;
}

/** The tokens of a field other than the body; for the bit see `fieldBits`. */
export interface FieldTokens {
  fieldBit: number;
  tokens: TokenStream;
}

/** Terms, with a list of postings and one of positions for each. */
export interface BuiltSegment {
  terms: string[];
  postings: ListColumn;
  positions: ListColumn;
  /** The number of postings in all lists. */
  count: number;
}

/** Between fields, so that words of different fields do not stand together. */
const fieldGap = 32;

/** A batch has about 250,000 postings of a few cells each. */
const maxKeptCells = 2_000_000;

/** The columns of a posting. `value` is that of `writePosting`; for `positions` see `packRow`. */
const column = { value: 0, passage: 1, positions: 2 } as const;
const rowSize = 3;

export function createSegmentBuilder(): SegmentBuilder {
  // One row per posting: its token, and its other columns, stored row by row so that sorting writes
  // to one cache line for each.
  let tokens = new Int32Array(0);
  let table = new Int32Array(0);
  let sorted = new Int32Array(0);
  let rows = 0;
  /** The encoded positions that do not fit into a column. */
  let positions: ByteWriter = createByteWriter();
  /** The encoded lists. */
  let postingLists = createListColumn();
  let positionLists = createListColumn();
  // The occurrences in the current passage: the mark of each, and the next one of the same token
  // (-1 if none). By row of the passage: its first occurrence.
  let marks = new Int32Array(0);
  let nexts = new Int32Array(0);
  let firsts = new Int32Array(0);
  let occurrences = 0;
  // One item per passage: its number and its quantised length.
  let passages: number[] = [];
  let scales: number[] = [];
  /** By token: its row, plus 1. A row before those of the current passage is of an earlier one. */
  let lastRowByToken = new Int32Array(0);
  let passageStart = 0;
  let maxToken = -1;

  return {
    add(passage, body, fields, length = body.length) {
      passageStart = rows;
      occurrences = 0;
      // From the last token to the first: so the occurrences of a token are linked in their order.
      let position = body.length;
      for (const { tokens } of fields) position += fieldGap + tokens.length;
      for (let index = fields.length - 1; index >= 0; index--) {
        const { fieldBit, tokens } = elementAt(fields, index);
        position -= tokens.length;
        addTokens(tokens, fieldBit, position);
        position -= fieldGap;
      }
      addTokens(body, 0, 0);
      if (rows === passageStart) return;
      encodePositions();
      passages.push(passage);
      scales.push(quantiseLength(length));
    },
    build(tokenOf) {
      const nextByToken = rowStartsByToken();
      sorted = growColumn(sorted, rows * rowSize);
      for (let row = 0; row < rows; row++) {
        const token = columnAt(tokens, row);
        const at = columnAt(nextByToken, token);
        nextByToken[token] = at + 1;
        const from = row * rowSize;
        const to = at * rowSize;
        sorted[to] = columnAt(table, from);
        sorted[to + 1] = columnAt(table, from + 1);
        sorted[to + 2] = columnAt(table, from + 2);
      }
      // Each token's next row has now advanced to the end of its rows.
      return encodeLists(nextByToken, sorted, tokenOf);
    },
    firstPassage: () => passages[0],
    clear() {
      // The next batch needs about as much memory, unless one large file has grown it.
      if (table.length > maxKeptCells) {
        tokens = new Int32Array(0);
        table = new Int32Array(0);
        sorted = new Int32Array(0);
        marks = new Int32Array(0);
        nexts = new Int32Array(0);
        firsts = new Int32Array(0);
        lastRowByToken = new Int32Array(0);
        positions = createByteWriter();
        postingLists = createListColumn();
        positionLists = createListColumn();
      }
      lastRowByToken.fill(0);
      positions.at = 0;
      passages = [];
      scales = [];
      rows = 0;
      maxToken = -1;
    },
  };

  function addTokens(stream: TokenStream, fieldBit: number, firstPosition: number): void {
    const { ids } = stream;
    const count = ids.length;
    marks = growColumn(marks, occurrences + count);
    nexts = growColumn(nexts, occurrences + count);
    firsts = growColumn(firsts, occurrences + count);
    tokens = growColumn(tokens, rows + count);
    table = growColumn(table, (rows + count) * rowSize);
    for (let at = count - 1; at >= 0; at--) {
      const token = int32At(ids, at);
      const mark = int32At(stream.marks, at);
      const value = (mark & 1) === 1 ? fieldBits.part : fieldBit || frequencyUnit;
      if (token > maxToken) {
        lastRowByToken = growColumn(lastRowByToken, token + 1);
        maxToken = token;
      }
      let row = columnAt(lastRowByToken, token) - 1;
      if (row >= passageStart) {
        const cell = row * rowSize + column.value;
        const before = columnAt(table, cell);
        table[cell] = value === frequencyUnit ? before + value : before | value;
        nexts[occurrences] = columnAt(firsts, row - passageStart);
      } else {
        row = rows++;
        lastRowByToken[token] = rows;
        tokens[row] = token;
        table[row * rowSize + column.value] = value;
        table[row * rowSize + column.passage] = passages.length;
        nexts[occurrences] = -1;
      }
      marks[occurrences] = mark + 2 * firstPosition;
      firsts[row - passageStart] = occurrences++;
    }
  }

  /** Encodes the positions of the rows of the current passage. */
  function encodePositions(): void {
    ensureCapacity(positions, maxRowBytes(occurrences, rows - passageStart));
    for (let row = passageStart; row < rows; row++) {
      const cell = row * rowSize;
      const fieldMask = columnAt(table, cell + column.value) % frequencyUnit;
      const first = columnAt(firsts, row - passageStart);
      table[cell + column.positions] = packRow(positions, fieldMask, marks, nexts, first);
    }
  }

  /** The first row of each token in token order. */
  function rowStartsByToken(): IntColumn {
    const starts = new Int32Array(maxToken + 2);
    for (let row = 0; row < rows; row++) {
      const next = columnAt(tokens, row) + 1;
      starts[next] = columnAt(starts, next) + 1;
    }
    for (let token = 0; token <= maxToken; token++) {
      starts[token + 1] = columnAt(starts, token + 1) + columnAt(starts, token);
    }
    return starts;
  }

  function encodeLists(
    endsByToken: IntColumn,
    sorted: IntColumn,
    tokenOf: (number: number) => string,
  ): BuiltSegment {
    clearListColumn(postingLists);
    clearListColumn(positionLists);
    const listWriter = postingLists.writer;
    const positionWriter = positionLists.writer;
    ensureCapacity(listWriter, rows * maxPostingBytes);
    ensureCapacity(positionWriter, positions.at + rows * maxPackedBytes);
    const terms: string[] = [];
    for (let token = 0, next = 0; token <= maxToken; token++) {
      const end = columnAt(endsByToken, token);
      if (next === end) continue;
      for (let previous = 0; next < end; next++) {
        const cell = next * rowSize;
        const index = columnAt(sorted, cell + column.passage);
        const passage = numberAt(passages, index);
        const value = columnAt(sorted, cell + column.value);
        writePosting(listWriter, passage - previous, value, numberAt(scales, index));
        previous = passage;
        copyPackedRow(positionWriter, positions.bytes, columnAt(sorted, cell + column.positions));
      }
      terms.push(tokenOf(token));
      endList(postingLists);
      endList(positionLists);
    }
    return { terms, postings: postingLists, positions: positionLists, count: rows };
  }
}
