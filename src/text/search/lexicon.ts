import { elementAt } from "../arrays/element-at.ts";
import { columnAt, growColumn, growUnits } from "../arrays/growable-column.ts";
import { numberAt, uint16At } from "../arrays/typed-element-at.ts";
import { isHighSurrogate, isLowSurrogate } from "../strings/surrogates.ts";
import { foldInto, foldWithBoundaries } from "./folded-text.ts";
import { partsOfName } from "./identifiers.ts";
import { computeStem } from "./stems.ts";
import { canStartSymbol, suffixEnd, symbolEnd } from "./symbols.ts";
import {
  charClassOf,
  isAsciiWordChar,
  separatorClass,
  spacedLetterClass,
  spacelessLetterClass,
} from "./tokens.ts";

/** The tokens of a text as columns, by position. Names have tokens for their parts as well. */
export interface TokenStream {
  /** By token: its id. */
  ids: Int32Array;
  /** By token: its position · 2, plus 1 for a part of a name. */
  marks: Int32Array;
  /** The number of positions: words and bigrams, without parts and symbols. */
  length: number;
}

/**
 * A tokenizer that returns token ids. It produces the tokens of `scanWords`, but looks words up by
 * their UTF-16 units in a hash table and creates strings only for new words, because a library
 * repeats the same words millions of times.
 *
 * ```
 * "Lamps, a lamp 東京都"   lamps  a  lamp  東京  京都     words and bigrams
 *                           0    1   0     2     3      ids of the tokens lamp, a, 東京, 京都
 * ```
 */
export interface Lexicon {
  /** The tokens of a text, by position. The columns are reused by the next call. */
  tokensOf(text: string): TokenStream;
  /** The token of an id from the current batch. */
  tokenOf(id: number): string;
  /** The distinct words of the current batch with their tokens, without those of spaceless scripts. */
  words(): LexiconWord[];
  /** Starts a batch. Ids from earlier batches are no longer valid. */
  startBatch(): void;
}

export type LexiconWord = [word: string, token: string];

/** If a batch starts with more entries than this, the table is cleared. */
const maxEntries = 200_000;

const [plus, sharp] = [0x2b, 0x23];
const underscore = 0x5f;

/** What ASCII characters are when a text is scanned. */
const asciiClass = { other: 0, word: 1, symbol: 2 } as const;
const asciiClasses = Uint8Array.from({ length: 128 }, (_, code) =>
  isAsciiWordChar(code)
    ? asciiClass.word
    : canStartSymbol(code)
      ? asciiClass.symbol
      : asciiClass.other,
);

/** FNV-1a, by UTF-16 units. */
const hashUnit = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193);

/** The columns of a table row. `spelling` is an offset into `spellingUnits`. */
const column = { spelling: 0, length: 1, tokenId: 2, lastBatch: 3 } as const;
const rowSize = 4;

/** The columns of a slot of the hash table: the hash, and the entry + 1, or 0 for a free slot. */
const slotColumn = { hash: 0, entry: 1 } as const;
const slotSize = 2;
const minSlots = 1_024;

export function openLexicon(): Lexicon {
  /** The folded text, terminated by 0. */
  let units = new Uint16Array(0);
  /**
   * In the folded text: the ascending offsets of underscores and of capitals that began a part, and
   * its end.
   */
  const joints: number[] = [];
  let nextJoint = 0;
  let tokenIds = new Int32Array(0);
  let marks = new Int32Array(0);
  let tokenCount = 0;
  let position = 0;
  /** The spellings of all entries, concatenated. */
  let spellingUnits = new Uint16Array(0);
  let spellingsEnd = 0;
  /** One row per entry, stored row by row so that a lookup touches one cache line. */
  let table = new Int32Array(0);
  let entryCount = 0;
  /** Hash table with linear probing, at most half full. A slot of another word is left at its hash. */
  let slots = new Int32Array(minSlots * slotSize);
  let lastSlot = minSlots - 1;
  // A random seed prevents crafted files from making all words collide.
  const seed = Math.floor(Math.random() * 2 ** 31);
  let spellings: string[] = [];
  let tokens: string[] = [];
  let idsByStem = new Map<string, number>();
  let batchEntries: number[] = [];
  let batch = 1;

  return {
    tokensOf(text) {
      const length = loadFolded(text);
      tokenCount = 0;
      position = 0;
      for (let at = 0; at < length; ) {
        const unit = uint16At(units, at);
        if (unit >= 0x80) at = addBeyondAscii(at);
        else {
          const kind = asciiClasses[unit];
          if (kind === asciiClass.word) at = addAsciiWord(at);
          else {
            if (kind === asciiClass.symbol) addSymbol(at);
            at++;
          }
        }
      }
      return {
        ids: tokenIds.subarray(0, tokenCount),
        marks: marks.subarray(0, tokenCount),
        length: position,
      };
    },
    tokenOf: (id) => elementAt(tokens, id),
    words: () =>
      batchEntries.map((entry) => [
        elementAt(spellings, entry),
        elementAt(tokens, columnAt(table, entry * rowSize + column.tokenId)),
      ]),
    startBatch() {
      batchEntries = [];
      batch++;
      if (entryCount < maxEntries) return;
      spellingUnits = new Uint16Array(0);
      spellingsEnd = 0;
      table = new Int32Array(0);
      entryCount = 0;
      slots = new Int32Array(minSlots * slotSize);
      lastSlot = minSlots - 1;
      spellings = [];
      tokens = [];
      idsByStem = new Map();
    },
  };

  /** Folds a text into `units` and returns its folded length. */
  function loadFolded(text: string): number {
    units = growUnits(units, text.length + 1);
    joints.length = 0;
    nextJoint = 0;
    if (foldInto(units, text, joints)) {
      // Each unit was folded in its place.
      units[text.length] = 0;
      joints.push(text.length);
      return text.length;
    }
    const { text: folded, caseBoundaries } = foldWithBoundaries(text);
    units = growUnits(units, folded.length + 1);
    joints.length = 0;
    for (let at = 0; at < folded.length; at++) {
      const unit = folded.charCodeAt(at);
      units[at] = unit;
      if (unit === underscore || caseBoundaries.has(at)) joints.push(at);
    }
    units[folded.length] = 0;
    joints.push(folded.length);
    return folded.length;
  }

  function charClassAt(at: number): number {
    const high = uint16At(units, at);
    if (!isHighSurrogate(high)) return charClassOf(high);
    const low = uint16At(units, at + 1);
    if (!isLowSurrogate(low)) return separatorClass;
    return charClassOf(0x10000 + (high - 0xd800) * 0x400 + (low - 0xdc00));
  }

  function nextCharacter(at: number): number {
    const isPair = isHighSurrogate(uint16At(units, at)) && isLowSurrogate(uint16At(units, at + 1));
    return isPair ? at + 2 : at + 1;
  }

  /** Adds the word that starts at an offset, and returns its end. */
  function addAsciiWord(start: number): number {
    let hash = seed;
    for (let at = start; ; at++) {
      const unit = uint16At(units, at);
      if (unit >= 0x80 && charClassAt(at) === spacedLetterClass) return addSpacedWord(start);
      if (unit >= 0x80 || asciiClasses[unit] !== asciiClass.word) {
        addName(start, at, hash);
        return at;
      }
      hash = hashUnit(hash, unit);
    }
  }

  function addSpacedWord(start: number): number {
    let at = start;
    do at = nextCharacter(at);
    while (charClassAt(at) === spacedLetterClass);
    addName(start, at, hashOf(start, at));
    return at;
  }

  /** Adds what starts at an offset with a character beyond ASCII, and returns its end. */
  function addBeyondAscii(at: number): number {
    const charClass = charClassAt(at);
    if (charClass === separatorClass) return at + 1;
    return charClass === spacelessLetterClass ? addBigrams(at) : addSpacedWord(at);
  }

  /** Adds the character bigrams of the run that starts at an offset, and returns its end. */
  function addBigrams(start: number): number {
    let first = start;
    let second = nextCharacter(first);
    if (charClassAt(second) !== spacelessLetterClass) {
      addToken(entryOf(first, second), 2 * position++);
    }
    while (charClassAt(second) === spacelessLetterClass) {
      const end = nextCharacter(second);
      addToken(entryOf(first, end), 2 * position++);
      first = second;
      second = end;
    }
    return second;
  }

  /** Adds a word, the parts of its name, and the symbol that it makes with signs behind it. */
  function addName(start: number, end: number, hash: number): void {
    addWord(findEntry(start, end, hash), 2 * position);
    while (numberAt(joints, nextJoint) < start) nextJoint++;
    if (numberAt(joints, nextJoint) < end) {
      for (const part of partsOfName(codeAt, beginsPart, start, end)) {
        addWord(entryOf(part.start, part.end), 2 * position + 1);
      }
    }
    const next = uint16At(units, end);
    if (next === plus || next === sharp) {
      const suffix = suffixEnd(codeAt, start, end);
      if (suffix > end) addToken(entryOf(start, suffix), 2 * position);
    }
    position++;
  }

  /** Asked of offsets in the current name only, which has a few joints. */
  function beginsPart(at: number): boolean {
    let index = nextJoint;
    while (numberAt(joints, index) < at) index++;
    return joints[index] === at && uint16At(units, at) !== underscore;
  }

  function addSymbol(at: number): void {
    const end = symbolEnd(codeAt, at);
    if (end > at) addToken(entryOf(at, end), 2 * position);
  }

  /** 0 outside of the text. */
  function codeAt(at: number): number {
    return at < 0 ? 0 : uint16At(units, at);
  }

  function addWord(entry: number, mark: number): void {
    addToken(entry, mark);
    const cell = entry * rowSize + column.lastBatch;
    if (table[cell] === batch) return;
    table[cell] = batch;
    batchEntries.push(entry);
  }

  function addToken(entry: number, mark: number): void {
    if (tokenCount === tokenIds.length) {
      tokenIds = growColumn(tokenIds, tokenCount + 1);
      marks = growColumn(marks, tokenCount + 1);
    }
    tokenIds[tokenCount] = columnAt(table, entry * rowSize + column.tokenId);
    marks[tokenCount++] = mark;
  }

  function entryOf(start: number, end: number): number {
    return findEntry(start, end, hashOf(start, end));
  }

  function hashOf(start: number, end: number): number {
    let hash = seed;
    for (let at = start; at < end; at++) hash = hashUnit(hash, uint16At(units, at));
    return hash;
  }

  function findEntry(start: number, end: number, hash: number): number {
    for (let slot = slotOf(hash); ; slot = (slot + 1) & lastSlot) {
      const at = slot * slotSize;
      const entry = columnAt(slots, at + slotColumn.entry) - 1;
      if (entry < 0) return addEntry(start, end, hash, at);
      if (slots[at + slotColumn.hash] === hash && matchesEntry(entry, start, end)) return entry;
    }
  }

  function slotOf(hash: number): number {
    return (hash ^ (hash >>> 15)) & lastSlot;
  }

  function matchesEntry(entry: number, start: number, end: number): boolean {
    const row = entry * rowSize;
    if (table[row + column.length] !== end - start) return false;
    const spelling = columnAt(table, row + column.spelling);
    for (let at = start; at < end; at++)
      if (spellingUnits[spelling + at - start] !== units[at]) return false;
    return true;
  }

  function addEntry(start: number, end: number, hash: number, freeSlot: number): number {
    const entry = entryCount++;
    const row = entry * rowSize;
    const length = end - start;
    const spelling = spellingAt(start, end);
    spellingUnits = growUnits(spellingUnits, spellingsEnd + length);
    spellingUnits.set(units.subarray(start, end), spellingsEnd);
    table = growColumn(table, row + rowSize);
    table[row + column.spelling] = spellingsEnd;
    table[row + column.length] = length;
    table[row + column.tokenId] = tokenIdOf(spelling, charClassAt(start));
    table[row + column.lastBatch] = 0;
    spellingsEnd += length;
    spellings.push(spelling);
    slots[freeSlot + slotColumn.hash] = hash;
    slots[freeSlot + slotColumn.entry] = entry + 1;
    if (entryCount * 2 > lastSlot) growSlots();
    return entry;
  }

  /** In parts, because the number of arguments of a call is limited. */
  function spellingAt(start: number, end: number): string {
    let spelling = "";
    for (let at = start; at < end; at += 1_024) {
      const part = units.subarray(at, Math.min(at + 1_024, end));
      spelling += Reflect.apply(String.fromCharCode, undefined, part);
    }
    return spelling;
  }

  /** Words with the same stem share a token. Bigrams and symbols are their own tokens. */
  function tokenIdOf(spelling: string, charClass: number): number {
    if (charClass !== spacedLetterClass) return tokens.push(spelling) - 1;
    const stem = computeStem(spelling);
    const existing = idsByStem.get(stem);
    if (existing !== undefined) return existing;
    idsByStem.set(stem, tokens.length);
    return tokens.push(stem) - 1;
  }

  function growSlots(): void {
    const before = slots;
    slots = new Int32Array(before.length * 2);
    lastSlot = lastSlot * 2 + 1;
    for (let from = 0; from < before.length; from += slotSize) {
      const entry = columnAt(before, from + slotColumn.entry);
      if (entry === 0) continue;
      const hash = columnAt(before, from + slotColumn.hash);
      let slot = slotOf(hash);
      while (slots[slot * slotSize + slotColumn.entry] !== 0) slot = (slot + 1) & lastSlot;
      slots[slot * slotSize + slotColumn.hash] = hash;
      slots[slot * slotSize + slotColumn.entry] = entry;
    }
  }
}
