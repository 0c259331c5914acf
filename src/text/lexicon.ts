import { grown } from "./column.ts";
import { fold, foldInto } from "./folding.ts";
import { stemOf } from "./stems.ts";
import { gap, kindOf, spacedLetter, spacelessLetter } from "./tokens.ts";

/**
 * Numbers for tokens. A text is cut here as `tokensOf` cuts it, yet a word is known by its letters
 * where they stand, and a string is made only of one that is new: a library says the same words
 * millions of times.
 *
 * ```
 * "Lamps, a lamp 東京都"   lamps  a  lamp  東京  京都     words and pairs, by their letters
 *                           0    1   0     2     3      the tokens lamp, a, 東京, 京都
 * ```
 */
export interface Lexicon {
  /** The tokens of a text in their order, by number. Holds until the next text is cut. */
  numbersOf(text: string): Int32Array;
  /** The token of a number that was given since the last beginning. */
  tokenOf(number: number): string;
  /** The words of all texts since the last beginning, each once; of spaceless scripts none. */
  words(): string[];
  /** Begins anew: numbers that were given before may stand for other tokens from now on. */
  begin(): void;
}

/** A few libraries' words; where there are more, all are met anew. */
const mostEntries = 200_000;

/** The columns of an entry: among them where its letters begin, and when it was last a word. */
const column = { hash: 0, letters: 1, length: 2, number: 3, writtenIn: 4 } as const;
const rowSize = 8;

export function openLexicon(): Lexicon {
  /** The folded text that is being cut, a zero behind it. */
  let units = new Int32Array(0);
  let found = new Int32Array(0);
  let count = 0;
  /** The letters of all entries, one behind the other. */
  let letters = new Int32Array(0);
  let lettersEnd = 0;
  /** Entries lie in rows, because whoever looks at one column of an entry needs the others too. */
  let table = new Int32Array(0);
  let entries = 0;
  /** Open addressing: an entry and one, or zero where the slot is free. At most half are taken. */
  let slots = new Int32Array(1_024);
  // Drawn by lot, so that nobody can write a file whose words all look for one slot.
  const seed = Math.floor(Math.random() * 2 ** 31);
  let spellings: string[] = [];
  let tokens: string[] = [];
  let numbersByStem = new Map<string, number>();
  let written: number[] = [];
  let beginning = 1;

  return {
    numbersOf(text) {
      const length = read(text);
      found = grown(found, length);
      count = 0;
      for (let at = 0; at < length; ) {
        const start = at;
        const kind = kindAt(start);
        if (kind === gap) at++;
        else if (kind === spacelessLetter) at = addPairs(start);
        else {
          do at = behind(at);
          while (kindAt(at) === spacedLetter);
          addWord(entryOf(start, at));
        }
      }
      return found.subarray(0, count);
    },
    tokenOf: (number) => tokens[number] ?? "",
    words: () => written.map((entry) => spellings[entry] ?? ""),
    begin() {
      written = [];
      beginning++;
      if (entries < mostEntries) return;
      letters = new Int32Array(0);
      lettersEnd = 0;
      table = new Int32Array(0);
      entries = 0;
      slots = new Int32Array(1_024);
      spellings = [];
      tokens = [];
      numbersByStem = new Map();
    },
  };

  /** Folds a text into `units` and gives its length. */
  function read(text: string): number {
    units = grown(units, text.length + 1);
    const isFolded = foldInto(units, text);
    const folded = isFolded ? text : fold(text);
    if (!isFolded) {
      units = grown(units, folded.length + 1);
      for (let at = 0; at < folded.length; at++) units[at] = folded.charCodeAt(at);
    }
    units[folded.length] = 0;
    return folded.length;
  }

  function kindAt(at: number): number {
    const unit = units[at] ?? 0;
    if (!isHalf(unit)) return kindOf(unit);
    const other = (units[at + 1] ?? 0) - 0xdc00;
    return isPairAt(at) ? kindOf(0x10000 + (unit - 0xd800) * 0x400 + other) : gap;
  }

  /** The place behind the letter at a place. */
  function behind(at: number): number {
    return isHalf(units[at] ?? 0) && isPairAt(at) ? at + 2 : at + 1;
  }

  function isPairAt(at: number): boolean {
    return ((units[at + 1] ?? 0) & 0xfc00) === 0xdc00;
  }

  /** Adds the pairs of letters of the run that begins at a place, and gives the place behind it. */
  function addPairs(start: number): number {
    let first = start;
    let second = behind(first);
    if (kindAt(second) !== spacelessLetter) add(entryOf(first, second));
    while (kindAt(second) === spacelessLetter) {
      const end = behind(second);
      add(entryOf(first, end));
      first = second;
      second = end;
    }
    return second;
  }

  function addWord(entry: number): void {
    add(entry);
    const at = entry * rowSize + column.writtenIn;
    if (table[at] === beginning) return;
    table[at] = beginning;
    written.push(entry);
  }

  function add(entry: number): void {
    found[count++] = table[entry * rowSize + column.number] ?? 0;
  }

  function entryOf(start: number, end: number): number {
    let hash = seed;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ (units[at] ?? 0), 0x01000193);
    for (let slot = slotOf(hash); ; slot = (slot + 1) & (slots.length - 1)) {
      const entry = (slots[slot] ?? 0) - 1;
      if (entry < 0) return makeEntry(start, end, hash, slot);
      if (table[entry * rowSize + column.hash] === hash && isSpelt(entry, start, end)) return entry;
    }
  }

  function slotOf(hash: number): number {
    return (hash ^ (hash >>> 15)) & (slots.length - 1);
  }

  function isSpelt(entry: number, start: number, end: number): boolean {
    const row = entry * rowSize;
    if (table[row + column.length] !== end - start) return false;
    const from = table[row + column.letters] ?? 0;
    for (let at = start; at < end; at++) if (letters[from + at - start] !== units[at]) return false;
    return true;
  }

  function makeEntry(start: number, end: number, hash: number, slot: number): number {
    const entry = entries++;
    const row = entry * rowSize;
    const length = end - start;
    const spelling = spelt(start, end);
    letters = grown(letters, lettersEnd + length);
    for (let at = 0; at < length; at++) letters[lettersEnd + at] = units[start + at] ?? 0;
    table = grown(table, row + rowSize);
    table[row + column.hash] = hash;
    table[row + column.letters] = lettersEnd;
    table[row + column.length] = length;
    table[row + column.number] = numberOf(spelling, kindAt(start));
    table[row + column.writtenIn] = 0;
    lettersEnd += length;
    spellings.push(spelling);
    slots[slot] = entry + 1;
    if (entries * 2 > slots.length) widen();
    return entry;
  }

  /** In parts, because a word may be longer than a call may have arguments. */
  function spelt(start: number, end: number): string {
    let spelling = "";
    for (let at = start; at < end; at += 1_024) {
      const part = units.subarray(at, Math.min(at + 1_024, end));
      spelling += Reflect.apply(String.fromCharCode, undefined, part);
    }
    return spelling;
  }

  /** Words may share a stem; a pair of letters is a token of its own. */
  function numberOf(spelling: string, kind: number): number {
    if (kind === spacelessLetter) return tokens.push(spelling) - 1;
    const stem = stemOf(spelling);
    const known = numbersByStem.get(stem);
    if (known !== undefined) return known;
    numbersByStem.set(stem, tokens.length);
    return tokens.push(stem) - 1;
  }

  function widen(): void {
    slots = new Int32Array(slots.length * 2);
    for (let entry = 0; entry < entries; entry++) {
      let slot = slotOf(table[entry * rowSize + column.hash] ?? 0);
      while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
      slots[slot] = entry + 1;
    }
  }
}

/** Whether a unit is the first half of a letter outside the first plane. */
const isHalf = (unit: number): boolean => (unit & 0xfc00) === 0xd800;
