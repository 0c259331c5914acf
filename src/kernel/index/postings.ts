import { fields } from "./contract.ts";
import {
  longestVarint,
  makeRoom,
  nothingWritten,
  readVarint,
  type Written,
  writeVarint,
  writtenBytes,
} from "./varint.ts";

/**
 * The places of one token, as bytes. A posting says in which passage the token stands, how often
 * in its body, in which other fields, and how long the body is, so that scoring needs nothing else.
 *
 * ```
 * passage, as the distance from the one before   varint
 * times in the body · 8 + one bit for each field  varint
 * length of the body, on a logarithmic scale      byte
 * ```
 */
export interface PostingList {
  readonly written: Written;
  /** How many are written. */
  count: number;
  /** The passage of the last one that is written. */
  before: number;
  /** The posting that is still growing; passage 0 is none. */
  passage: number;
  times: number;
  places: number;
  length: number;
}

/** The postings of a token, column by column; all have `count` rows. */
export interface PostingColumns {
  count: number;
  passages: Float64Array;
  times: Uint16Array;
  /** A bit for each field before the body: see `placeOf`. */
  places: Uint8Array;
  /** The body's length in tokens, to two hundredths exactly. */
  lengths: Float32Array;
}

export const placeOf = { title: 1, headings: 2, path: 4 } as const;

if (Object.keys(placeOf).some((name, at) => fields[at] !== name)) {
  throw new Error("The bits of a posting must follow the fields of the index.");
}

const mostTimes = 0xffff;

export const makeList = (): PostingList => ({
  written: nothingWritten(),
  count: 0,
  before: 0,
  passage: 0,
  times: 0,
  places: 0,
  length: 0,
});

/** Adds to the posting of a passage. Passages must come in ascending order. */
export function addPosting(
  list: PostingList,
  passage: number,
  times: number,
  places: number,
  bodyLength: number,
): void {
  if (list.passage !== passage) {
    endPosting(list);
    list.passage = passage;
    list.length = bodyLength;
  }
  list.times += times;
  list.places |= places;
}

/** The list as it is kept. */
export function bytesOf(list: PostingList): Uint8Array {
  endPosting(list);
  return writtenBytes(list.written).slice();
}

function endPosting(list: PostingList): void {
  if (list.passage === 0) return;
  makeRoom(list.written, longestPosting);
  const value = list.times * 8 + list.places;
  writePosting(list.written, list.passage - list.before, value, scaled(list.length));
  list.before = list.passage;
  list.count++;
  list.passage = 0;
  list.times = 0;
  list.places = 0;
}

/** The most bytes that one posting takes. */
export const longestPosting = 2 * longestVarint + 1;

/** Writes one posting where there is room: see above for its parts. */
export function writePosting(written: Written, step: number, value: number, scale: number): void {
  writeVarint(written, step);
  writeVarint(written, value >>> 3 > mostTimes ? mostTimes * 8 + (value & 7) : value);
  written.bytes[written.at++] = scale;
}

/** Reads lists of ascending passages one behind the other, leaving out those that are gone. */
export function readPostings(
  lists: readonly Uint8Array[],
  gone: ReadonlySet<number>,
): PostingColumns {
  // No posting is shorter than three bytes.
  const most = lists.reduce((sum, { length }) => sum + Math.ceil(length / 3), 0);
  const passages = new Float64Array(most);
  const times = new Uint16Array(most);
  const places = new Uint8Array(most);
  const lengths = new Float32Array(most);
  const hasGone = gone.size > 0;
  let count = 0;
  for (const bytes of lists) {
    const place = { at: 0 };
    let passage = 0;
    while (place.at < bytes.length) {
      passage += readVarint(bytes, place);
      const value = readVarint(bytes, place);
      const length = lengthsByScale[bytes[place.at++] ?? 0] ?? 0;
      if (hasGone && gone.has(passage)) continue;
      passages[count] = passage;
      times[count] = value >>> 3;
      places[count] = value & 7;
      lengths[count] = length;
      count++;
    }
  }
  return { count, passages, times, places, lengths };
}

/** So many steps for each doubling reach beyond the longest passage there can be. */
const steps = 18;

/** The length of a body on the scale on which it is kept. */
export const scaled = (length: number): number =>
  Math.min(Math.round(Math.log2(length + 1) * steps), 255);

const lengthsByScale = Float32Array.from({ length: 256 }, (_, scale) => 2 ** (scale / steps) - 1);
