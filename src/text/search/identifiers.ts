/** Where a word is cut into parts, as offsets in the text. */
export interface WordPart {
  start: number;
  end: number;
}

/** Longer words, such as encoded data, are not names. */
const maxNameLength = 64;
const maxParts = 12;

/** A part of one letter (`xAxis`) tells nothing. */
const minPartLength = 2;

/** Random letters, as in `aGVsbG8gd29y`, have shorter parts than names have. */
const minAverageLength = 2;

const underscore = 0x5f;

/**
 * The parts of a name in camelCase, PascalCase or snake_case; none if it has no inner boundary.
 * `isCaseBoundary` tells whether a part begins at an offset because of capital letters.
 *
 * ```
 * getUserProfileById → get User Profile By Id      __init__ → init      lamp → –
 * ```
 */
export function partsOfName(
  codeAt: (at: number) => number,
  isCaseBoundary: (at: number) => boolean,
  start: number,
  end: number,
): WordPart[] {
  if (end - start < 3 || end - start > maxNameLength) return [];
  const parts: WordPart[] = [];
  let from = start;
  let letters = 0;
  let pieces = 0;
  const close = (to: number): void => {
    if (to === from) return;
    letters += to - from;
    pieces++;
    if (to - from >= minPartLength && to - from < end - start) parts.push({ start: from, end: to });
  };
  for (let at = start; at < end; at++) {
    if (codeAt(at) === underscore) {
      close(at);
      from = at + 1;
    } else if (at > from && isCaseBoundary(at)) {
      close(at);
      from = at;
    }
  }
  close(end);
  return pieces > maxParts || letters < pieces * minAverageLength ? [] : parts;
}

/**
 * Whether capital letters begin a new part at an offset: `userProfile`, `HTTPServer`. Plurals of
 * abbreviations, as in `URLs`, are one part. Only ASCII letters count, because names of programs
 * are written with them.
 */
export function isCaseBoundary(text: string, at: number): boolean {
  if (!isUpper(text.charCodeAt(at))) return false;
  const before = text.charCodeAt(at - 1);
  if (isLower(before) || isDigit(before)) return true;
  if (!isUpper(before) || !isLower(text.charCodeAt(at + 1))) return false;
  return text[at + 1] !== "s" || isLower(text.charCodeAt(at + 2));
}

const isUpper = (code: number): boolean => code >= 0x41 && code <= 0x5a;
const isLower = (code: number): boolean => code >= 0x61 && code <= 0x7a;
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
