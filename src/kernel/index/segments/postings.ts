import {
  float32At,
  float64At,
  int32At,
  uint8At,
  uint16At,
} from "../../../text/arrays/typed-element-at.ts";
import { fields } from "../search-index.ts";
import {
  type ByteWriter,
  createByteWriter,
  ensureCapacity,
  maxVarintBytes,
  readVarint,
  writeBytes,
  writeVarint,
  writtenBytes,
} from "./varint.ts";

/**
 * The encoded posting list of one token. A posting holds all that scoring needs: the passage, how
 * often the token occurs in its body, which other fields contain it, whether it is part of a name
 * anywhere, and the length of the body.
 *
 * ```
 * passage, as the difference to the previous one      varint
 * frequency in the body · 16 + `fieldBits`            varint
 * length of the body, on a logarithmic scale          byte
 * ```
 */
export interface PostingList {
  readonly writer: ByteWriter;
  /** The number of postings written. */
  count: number;
  /** The passage of the last posting written. */
  previousPassage: number;
  /** The passage of the pending posting, whose values are below; 0 if there is none. */
  passage: number;
  frequency: number;
  fieldMask: number;
  length: number;
}

/** The decoded postings of a token, as columns of `count` rows. */
export interface PostingColumns {
  count: number;
  /** How many of them have the token as a part of names only. */
  partsOnly: number;
  passages: Float64Array;
  frequencies: Uint16Array;
  /** One bit for each field other than the body, and one for parts of names: see `fieldBits`. */
  fieldMasks: Uint8Array;
  /** The body's length in tokens, with an error of up to 2 %. */
  lengths: Float32Array;
  /** All postings as they are stored, those of removed passages included, for reading positions. */
  stored: {
    frequencies: Uint16Array;
    fieldMasks: Uint8Array;
    /** The stored row of each row above; missing if they are the same. */
    ordinals?: Int32Array;
    /** The stored row after the last one of each list. */
    listEnds: number[];
  };
}

export const fieldBits = { title: 1, headings: 2, path: 4, part: 8 } as const;

/** The factor of the frequency in the value of a posting. */
export const frequencyUnit = 16;

if (fields.slice(0, 3).some((name, at) => Object.keys(fieldBits)[at] !== name)) {
  throw new Error("The bits of a posting must follow the fields of the index.");
}

export const maxFrequency = 0xffff;

export const createPostingList = (): PostingList => ({
  writer: createByteWriter(),
  count: 0,
  previousPassage: 0,
  passage: 0,
  frequency: 0,
  fieldMask: 0,
  length: 0,
});

/** Adds occurrences to the posting of a passage. Passages must come in ascending order. */
export function addPosting(
  list: PostingList,
  passage: number,
  frequency: number,
  fieldMask: number,
  bodyLength: number,
): void {
  if (list.passage !== passage) {
    flushPosting(list);
    list.passage = passage;
    list.length = bodyLength;
  }
  list.frequency += frequency;
  list.fieldMask |= fieldMask;
}

/** The list in its stored form. */
export function encodePostingList(list: PostingList): Uint8Array {
  flushPosting(list);
  return writtenBytes(list.writer).slice();
}

function flushPosting(list: PostingList): void {
  if (list.passage === 0) return;
  ensureCapacity(list.writer, maxPostingBytes);
  const value = list.frequency * frequencyUnit + list.fieldMask;
  writePosting(
    list.writer,
    list.passage - list.previousPassage,
    value,
    quantiseLength(list.length),
  );
  list.previousPassage = list.passage;
  list.count++;
  list.passage = 0;
  list.frequency = 0;
  list.fieldMask = 0;
}

/**
 * Appends a stored list to others, whose last passage is `previous`: only its first difference
 * changes. Returns its last passage and its number of postings.
 */
export function appendPostingList(
  writer: ByteWriter,
  bytes: Uint8Array,
  from: number,
  to: number,
  previous: number,
): { last: number; count: number } {
  const cursor = { at: from };
  let last = readVarint(bytes, cursor);
  ensureCapacity(writer, maxVarintBytes + to - from);
  writeVarint(writer, last - previous);
  writeBytes(writer, bytes, cursor.at, to);
  let count = 1;
  for (skipToNextPosting(bytes, cursor); cursor.at < to; count++) {
    last += readVarint(bytes, cursor);
    skipToNextPosting(bytes, cursor);
  }
  return { last, count };
}

/** Moves past the value and the length of a posting. The last byte of a varint is below 128. */
function skipToNextPosting(list: Uint8Array, cursor: { at: number }): void {
  while (uint8At(list, cursor.at++) >= 128);
  cursor.at++;
}

/** The maximum length of an encoded posting. */
export const maxPostingBytes = 2 * maxVarintBytes + 1;

/** Writes the three parts of a posting (see `PostingList`). The caller ensures the capacity. */
export function writePosting(
  writer: ByteWriter,
  passageDelta: number,
  value: number,
  scale: number,
): void {
  writeVarint(writer, passageDelta);
  writeVarint(
    writer,
    value >>> 4 > maxFrequency ? maxFrequency * frequencyUnit + (value & 15) : value,
  );
  writer.bytes[writer.at++] = scale;
}

/** Decodes and concatenates lists of ascending passages, without the removed passages. */
export function readPostings(
  lists: readonly Uint8Array[],
  removed: ReadonlySet<number>,
): PostingColumns {
  // A posting has at least three bytes.
  const maxCount = lists.reduce((sum, { length }) => sum + Math.ceil(length / 3), 0);
  const passages = new Float64Array(maxCount);
  const frequencies = new Uint16Array(maxCount);
  const fieldMasks = new Uint8Array(maxCount);
  const lengths = new Float32Array(maxCount);
  const listEnds: number[] = [];
  let count = 0;
  let partsOnly = 0;
  for (const bytes of lists) {
    const cursor = { at: 0 };
    let passage = 0;
    while (cursor.at < bytes.length) {
      passage += readVarint(bytes, cursor);
      const value = readVarint(bytes, cursor);
      passages[count] = passage;
      frequencies[count] = value >>> 4;
      fieldMasks[count] = value & 15;
      lengths[count] = float32At(lengthsByScale, uint8At(bytes, cursor.at++));
      count++;
      if (value === fieldBits.part) partsOnly++;
    }
    listEnds.push(count);
  }
  const stored = { frequencies, fieldMasks, listEnds };
  const all = { count, partsOnly, passages, frequencies, fieldMasks, lengths, stored };
  if (removed.size === 0 || !passages.subarray(0, count).some((one) => removed.has(one)))
    return all;
  return selectRows(all, (row) => !removed.has(float64At(passages, row)));
}

/**
 * Only the postings with the token in the title or headings, without positions. Long texts contain
 * all function words, so these are few of many.
 */
export function readTitledPostings(
  lists: readonly Uint8Array[],
  removed: ReadonlySet<number>,
): PostingColumns {
  const found: { passage: number; value: number; scale: number }[] = [];
  for (const bytes of lists) {
    const cursor = { at: 0 };
    let passage = 0;
    while (cursor.at < bytes.length) {
      passage += readVarint(bytes, cursor);
      const value = readVarint(bytes, cursor);
      const scale = uint8At(bytes, cursor.at++);
      if ((value & titledBits) !== 0 && !removed.has(passage))
        found.push({ passage, value, scale });
    }
  }
  const frequencies = Uint16Array.from(found, ({ value }) => value >>> 4);
  const fieldMasks = Uint8Array.from(found, ({ value }) => value & 15);
  return {
    count: found.length,
    partsOnly: 0,
    passages: Float64Array.from(found, ({ passage }) => passage),
    frequencies,
    fieldMasks,
    lengths: Float32Array.from(found, ({ scale }) => float32At(lengthsByScale, scale)),
    stored: { frequencies, fieldMasks, listEnds: [] },
  };
}

const titledBits = fieldBits.title | fieldBits.headings;

/** The bytes that the columns take in memory. */
export function sizeOfPostings({ passages, lengths, stored }: PostingColumns): number {
  const { frequencies, fieldMasks, ordinals } = stored;
  return [passages, lengths, frequencies, fieldMasks].reduce(
    (sum, { byteLength }) => sum + byteLength,
    ordinals?.byteLength ?? 0,
  );
}

/** Some of the postings. Their positions are still found. */
function selectRows(all: PostingColumns, isSelected: (row: number) => boolean): PostingColumns {
  const rows: number[] = [];
  for (let row = 0; row < all.count; row++) if (isSelected(row)) rows.push(row);
  const before = all.stored.ordinals;
  return {
    count: rows.length,
    partsOnly: rows.filter((row) => isPartOnly(all, row)).length,
    passages: Float64Array.from(rows, (row) => float64At(all.passages, row)),
    frequencies: Uint16Array.from(rows, (row) => uint16At(all.frequencies, row)),
    fieldMasks: Uint8Array.from(rows, (row) => uint8At(all.fieldMasks, row)),
    lengths: Float32Array.from(rows, (row) => float32At(all.lengths, row)),
    stored: {
      ...all.stored,
      ordinals: Int32Array.from(rows, (row) => (before ? int32At(before, row) : row)),
    },
  };
}

const isPartOnly = ({ frequencies, fieldMasks }: PostingColumns, row: number): boolean =>
  uint8At(fieldMasks, row) === fieldBits.part && uint16At(frequencies, row) === 0;

/** The row of a passage in the ascending columns, by binary search, or -1. */
export function findRow({ passages, count }: PostingColumns, passage: number): number {
  let low = 0;
  let high = count - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const candidate = float64At(passages, middle);
    if (candidate === passage) return middle;
    if (candidate < passage) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** The first row of a passage with this number or a higher one; `count` if there is none. */
export function firstRowFrom({ passages, count }: PostingColumns, passage: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (float64At(passages, middle) < passage) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Steps of the logarithmic scale per doubling. 256 steps cover the longest possible passage. */
const stepsPerDoubling = 18;

/** The step of the logarithmic scale that is stored for the length of a body. */
export const quantiseLength = (length: number): number =>
  Math.min(Math.round(Math.log2(length + 1) * stepsPerDoubling), 255);

const lengthsByScale = Float32Array.from(
  { length: 256 },
  (_, scale) => 2 ** (scale / stepsPerDoubling) - 1,
);
