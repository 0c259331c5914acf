/** The terminal columns that a text occupies: East Asian wide characters and emoji take two. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += charWidth(character);
  return width;
}

/** Truncates text to a display width, with an ellipsis. */
export function truncateToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let prefix = "";
  let used = 0;
  for (const character of text) {
    used += charWidth(character);
    if (used >= width) break;
    prefix += character;
  }
  return `${prefix.trimEnd()}…`;
}

/** A part of a text, in UTF-16 units. */
export interface TextRange {
  start: number;
  end: number;
}

/**
 * Wraps text at spaces, or within a word that is wider than a line. Spaces at a break are in no
 * line. Returns ranges instead of strings, so that highlighting can be applied by offset.
 */
export function lineRanges(text: string, width: number): TextRange[] {
  const lines: TextRange[] = [];
  let start = 0;
  while (start < text.length) {
    const limit = lineEndFrom(text, start, width);
    // Leading spaces are an indent, not a position to break at.
    const space = /\S(?=\s+\S*$)/.exec(text.slice(start, limit + 1));
    const end = space && limit < text.length ? start + space.index + 1 : limit;
    lines.push({ start, end: start + text.slice(start, end).trimEnd().length });
    start = end + (/^\s*/.exec(text.slice(end))?.[0].length ?? 0);
  }
  return lines.length > 0 ? lines : [{ start: 0, end: 0 }];
}

/** The end of a line that starts here, by width alone; at least one character. */
function lineEndFrom(text: string, start: number, width: number): number {
  let at = start;
  let used = 0;
  for (const character of text.slice(start, start + 4 * width)) {
    used += charWidth(character);
    if (used > width && at > start) break;
    at += character.length;
  }
  return at;
}

function charWidth(character: string): number {
  if (character < "\u0300") return 1;
  if (/[\p{M}\p{Cf}]/u.test(character)) return 0;
  return wideChars.test(character) ? 2 : 1;
}

const wideChars =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
