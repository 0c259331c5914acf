import { isCaseBoundary } from "./identifiers.ts";

/**
 * Folds case and accents, so that words can be compared. Long runs of combining marks are cut
 * first, because normalization sorts them in quadratic time.
 */
export function foldText(text: string): string {
  const lower = text.toLowerCase();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII itself
  if (/^[\u0000-\u007f]*$/.test(lower)) return lower;
  return isFolded(lower) ? lower : foldAccents(lower);
}

const foldAccents = (lower: string): string =>
  lower
    .replace(/(\p{M}{30})\p{M}+/gu, "$1")
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    // NFKD can produce capitals, for example from `№`.
    .toLowerCase();

/** Whether folding a text in lower case would change nothing. Normalization is many times slower. */
function isFolded(lower: string): boolean {
  for (let at = 0; at < lower.length; at++) {
    const unit = lower.charCodeAt(at);
    const folded = foldedUnits[unit] || computeFoldedUnit(unit);
    if (folded % special !== unit || folded >= notFoldableAlone) return false;
  }
  return true;
}

/** A folded text, and where capital letters began a part of a name: see `isCaseBoundary`. */
export interface FoldedText {
  text: string;
  caseBoundaries: ReadonlySet<number>;
}

/** `foldText`, keeping the boundaries that are lost with the capitals. */
export function foldWithBoundaries(text: string): FoldedText {
  if (!/[A-Za-z0-9][A-Z]/.test(text)) return { text: foldText(text), caseBoundaries: noBoundaries };
  let marked = "";
  let done = 0;
  for (const { index } of text.matchAll(/(?<=[A-Za-z0-9])[A-Z]/g)) {
    if (!isCaseBoundary(text, index)) continue;
    marked += withoutMark(text.slice(done, index)) + boundaryMark;
    done = index;
  }
  const [first = "", ...rest] = foldText(marked + withoutMark(text.slice(done))).split(
    boundaryMark,
  );
  let folded = first;
  const caseBoundaries = new Set<number>();
  for (const piece of rest) {
    caseBoundaries.add(folded.length);
    folded += piece;
  }
  return { text: folded, caseBoundaries };
}

const noBoundaries: ReadonlySet<number> = new Set();

/** A code point that is not a character. In a text it separates words, as a space does. */
const boundaryMark = "\ufdd0";
const withoutMark = (text: string): string => text.replaceAll(boundaryMark, " ");

/**
 * Fast path: folds each UTF-16 unit by a table into a column, which must have room for them, and
 * adds the offsets where names are joined: see `isCaseBoundary`. Returns false if a unit folds to
 * several or depends on its neighbours. The caller must then use `foldWithBoundaries`.
 */
export function foldInto(column: Uint16Array, text: string, joints: number[]): boolean {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    let folded = foldedUnits[unit] || computeFoldedUnit(unit);
    if (folded >= special) {
      if (folded === notFoldableAlone) return false;
      if (unit === underscore || isCaseBoundary(text, at)) joints.push(at);
      folded -= special;
    }
    column[at] = folded;
  }
  return true;
}

/** The folded form of each unit, computed on first use; 0 means not computed yet. */
const foldedUnits = new Uint32Array(0x10000);

/** Added to the form of a unit that may join a name, so that others need one comparison only. */
const special = 0x10000;
const notFoldableAlone = 2 * special;

const underscore = 0x5f;
const mayJoin = (unit: number): boolean => unit === underscore || (unit >= 0x41 && unit <= 0x5a);

function computeFoldedUnit(unit: number): number {
  const folded = foldAccents(String.fromCharCode(unit).toLowerCase());
  const isAlone = folded.length === 1 && unit !== capitalSigma && !joinsOthers.test(folded);
  const form = folded.charCodeAt(0) + (mayJoin(unit) ? special : 0);
  const entry = isAlone ? form : notFoldableAlone;
  foldedUnits[unit] = entry;
  return entry;
}

/** Lower-cased to another letter at the end of a word. */
const capitalSigma = 0x3a3;

/** Combining marks, surrogates and Hangul jamo, which compose with their neighbours. */
const joinsOthers = /[\p{M}\p{Cs}\u1100-\u11ff]/u;
