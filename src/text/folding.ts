/**
 * A text without case and accents, as words are compared. Text that is all ASCII, the common case,
 * needs only its case folded. More marks on one letter than any script has are left out first,
 * because putting them in order takes the square of their number.
 */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII itself
  if (/^[\u0000-\u007f]*$/.test(lower)) return lower;
  return (
    lower
      .replace(/(\p{M}{30})\p{M}+/gu, "$1")
      .normalize("NFKD")
      .replace(/[\u0300-\u036f]/g, "")
      .normalize("NFC")
      // Signs such as `№` and letters of formulas become capitals only now.
      .toLowerCase()
  );
}

/**
 * Writes the UTF-16 units of a text into a column, folded, which must have room for them. Tells
 * whether each could be folded alone; where neighbours have a say, or a letter becomes several, the
 * text must be folded as a whole. Nearly all letters are folded alone, by a table.
 */
export function foldInto(column: Int32Array, text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const folded = foldedUnits[unit] || look(unit);
    if (folded === notAlone) return false;
    column[at] = folded;
  }
  return true;
}

/** Zero for a unit that was not met yet. */
const foldedUnits = new Uint16Array(0x10000);

const notAlone = 0xffff;

function look(unit: number): number {
  const folded = fold(String.fromCharCode(unit));
  const isAlone = folded.length === 1 && unit !== capitalSigma && !joinsOthers.test(folded);
  const found = isAlone ? folded.charCodeAt(0) : notAlone;
  foldedUnits[unit] = found;
  return found;
}

/** Written another way at the end of a word. */
const capitalSigma = 0x3a3;

/** Marks and parts of Korean syllables become one letter with what stands before; so do halves. */
const joinsOthers = /[\p{M}\p{Cs}\u1100-\u11ff]/u;
