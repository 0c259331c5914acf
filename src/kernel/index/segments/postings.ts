import { float32At, integerAt, uint8At, uint16At } from "../../../text/arrays/typed-element-at.ts";
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
  /** Ascending. Numbers above 2^32 need the wider array. */
  passages: Uint32Array | Float64Array;
  frequencies: Uint16Array;
  /** One bit for each field other than the body, and one for parts of names: see `fieldBits`. */
  fieldMasks: Uint8Array;
  /** The body's length in tokens, on a logarithmic scale: see `lengthOfScale`. */
  scales: Uint8Array;
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
  const narrow = decodeLists(lists, maxCount, passageColumn(maxCount, 0));
  const all =
    narrow.last > maxUint32
      ? decodeLists(lists, maxCount, passageColumn(maxCount, narrow.last))
      : narrow;
  return withoutRemoved(all.columns, removed);
}

/** A column for ascending passages up to `last`. */
const passageColumn = (length: number, last: number): PostingColumns["passages"] =>
  last > maxUint32 ? new Float64Array(length) : new Uint32Array(length);

const maxUint32 = 0xffff_ffff;

/**
 * Decodes all postings, or those with one of these bits in their value. Also returns the last passage, which
 * tells whether the array is wide enough.
 */
function decodeLists(
  lists: readonly Uint8Array[],
  maxCount: number,
  passages: PostingColumns["passages"],
  wantedBits?: number,
): { columns: PostingColumns; last: number } {
  const frequencies = new Uint16Array(maxCount);
  const fieldMasks = new Uint8Array(maxCount);
  const scales = new Uint8Array(maxCount);
  const listEnds: number[] = [];
  let count = 0;
  let partsOnly = 0;
  let last = 0;
  for (const bytes of lists) {
    const cursor = { at: 0 };
    let passage = 0;
    while (cursor.at < bytes.length) {
      passage += readVarint(bytes, cursor);
      const value = readVarint(bytes, cursor);
      const scale = uint8At(bytes, cursor.at++);
      if (wantedBits !== undefined && (value & wantedBits) === 0) continue;
      passages[count] = passage;
      frequencies[count] = value >>> 4;
      fieldMasks[count] = value & 15;
      scales[count] = scale;
      count++;
      if (value === fieldBits.part) partsOnly++;
    }
    listEnds.push(count);
    last = Math.max(last, passage);
  }
  const stored = { frequencies, fieldMasks, listEnds };
  const columns = { count, partsOnly, passages, frequencies, fieldMasks, scales, stored };
  return { columns, last };
}

/**
 * Only the postings with the token in the title or headings, without positions. Long texts contain
 * all function words, so these are few of many: they are counted first.
 */
export function readTitledPostings(
  lists: readonly Uint8Array[],
  removed: ReadonlySet<number>,
): PostingColumns {
  const { titled, last } = countTitled(lists);
  const { columns } = decodeLists(lists, titled, passageColumn(titled, last), titledBits);
  return withoutRemoved({ ...columns, stored: { ...columns.stored, listEnds: [] } }, removed);
}

/** Also returns the last passage. */
function countTitled(lists: readonly Uint8Array[]): { titled: number; last: number } {
  let titled = 0;
  let last = 0;
  for (const bytes of lists) {
    const cursor = { at: 0 };
    let passage = 0;
    while (cursor.at < bytes.length) {
      passage += readVarint(bytes, cursor);
      if ((readVarint(bytes, cursor) & titledBits) !== 0) titled++;
      cursor.at++;
    }
    last = Math.max(last, passage);
  }
  return { titled, last };
}

const titledBits = fieldBits.title | fieldBits.headings;

/** The bytes that the columns take in memory. */
export function sizeOfPostings({ passages, scales, stored }: PostingColumns): number {
  const { frequencies, fieldMasks, ordinals } = stored;
  return [passages, scales, frequencies, fieldMasks].reduce(
    (sum, { byteLength }) => sum + byteLength,
    ordinals?.byteLength ?? 0,
  );
}

/** The remaining postings. Their positions are still found. */
function withoutRemoved(all: PostingColumns, removed: ReadonlySet<number>): PostingColumns {
  const gone = removedRows(all, removed);
  if (gone.length === 0) return all;
  const count = all.count - gone.length;
  const passages = passageColumn(count, integerAt(all.passages, all.count - 1));
  const frequencies = new Uint16Array(count);
  const fieldMasks = new Uint8Array(count);
  const scales = new Uint8Array(count);
  const ordinals = new Int32Array(count);
  let partsOnly = 0;
  let next = 0;
  for (let row = 0, to = 0; row < all.count; row++) {
    if (row === gone[next]) {
      next++;
      continue;
    }
    const frequency = uint16At(all.frequencies, row);
    const fieldMask = uint8At(all.fieldMasks, row);
    if (all.partsOnly > 0 && frequency === 0 && fieldMask === fieldBits.part) partsOnly++;
    passages[to] = integerAt(all.passages, row);
    frequencies[to] = frequency;
    fieldMasks[to] = fieldMask;
    scales[to] = uint8At(all.scales, row);
    ordinals[to++] = row;
  }
  const stored = { ...all.stored, ordinals };
  return { count, partsOnly, passages, frequencies, fieldMasks, scales, stored };
}

/** The rows of removed passages, ascending. A few are looked up, and many compared with all rows. */
function removedRows(all: PostingColumns, removed: ReadonlySet<number>): number[] {
  if (removed.size * rowsPerLookup < all.count) {
    const rows = [...removed].map((passage) => findRow(all, passage));
    return rows.filter((row) => row >= 0).sort((a, b) => a - b);
  }
  const rows: number[] = [];
  if (removed.size === 0) return rows;
  for (let row = 0; row < all.count; row++) {
    if (removed.has(integerAt(all.passages, row))) rows.push(row);
  }
  return rows;
}

/** A lookup takes as long as looking at this many rows. */
const rowsPerLookup = 16;

/** The row of a passage in the ascending columns, by binary search, or -1. */
export function findRow({ passages, count }: PostingColumns, passage: number): number {
  let low = 0;
  let high = count - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const candidate = integerAt(passages, middle);
    if (candidate === passage) return middle;
    if (candidate < passage) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/**
 * The first row from `from` on of a passage with this number or a higher one; `count` if there is
 * none. Near rows are found first.
 */
export function firstRowFrom(
  { passages, count }: PostingColumns,
  passage: number,
  from = 0,
): number {
  let low = from;
  let step = 1;
  while (low + step <= count && integerAt(passages, low + step - 1) < passage) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step - 1, count);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (integerAt(passages, middle) < passage) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Steps of the logarithmic scale per doubling. 256 steps cover the longest possible passage. */
const stepsPerDoubling = 18;

/** The step of the logarithmic scale that is stored for the length of a body. */
export const quantiseLength = (length: number): number =>
  Math.min(Math.round(Math.log2(length + 1) * stepsPerDoubling), 255);

/** The length that a step stands for, with an error of up to 2 %. */
export const lengthOfScale = (scale: number): number => float32At(lengthsByScale, scale);

const lengthsByScale = Float32Array.from(
  { length: 256 },
  (_, scale) => 2 ** (scale / stepsPerDoubling) - 1,
);
