/** How many columns of a terminal a text takes: letters of East Asia and emoji take two. */
export function widthOf(text: string): number {
  let width = 0;
  for (const letter of text) width += letterWidth(letter);
  return width;
}

/** A text that fits, with an ellipsis where something was cut. */
export function cutTo(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = "";
  let used = 0;
  for (const letter of text) {
    used += letterWidth(letter);
    if (used >= width) break;
    kept += letter;
  }
  return `${kept.trimEnd()}…`;
}

/** A part of a text, in UTF-16 units. */
export interface Place {
  start: number;
  end: number;
}

/**
 * Where to break a text so that no line is wider: at spaces, or within a word that is wider by
 * itself. Spaces at a break belong to no line. Places instead of pieces, so that marks still fit.
 */
export function brokenAt(text: string, width: number): Place[] {
  const lines: Place[] = [];
  let start = 0;
  while (start < text.length) {
    const reach = reachFrom(text, start, width);
    // Spaces at the beginning are an indent, and no place to break at.
    const space = /\S(?=\s+\S*$)/.exec(text.slice(start, reach + 1));
    const end = space && reach < text.length ? start + space.index + 1 : reach;
    lines.push({ start, end: start + text.slice(start, end).trimEnd().length });
    start = end + (/^\s*/.exec(text.slice(end))?.[0].length ?? 0);
  }
  return lines.length > 0 ? lines : [{ start: 0, end: 0 }];
}

/** How far a line comes from here; at least one letter. */
function reachFrom(text: string, start: number, width: number): number {
  let at = start;
  let used = 0;
  for (const letter of text.slice(start, start + 4 * width)) {
    used += letterWidth(letter);
    if (used > width && at > start) break;
    at += letter.length;
  }
  return at;
}

function letterWidth(letter: string): number {
  if (letter < "\u0300") return 1;
  if (/[\p{M}\p{Cf}]/u.test(letter)) return 0;
  return wide.test(letter) ? 2 : 1;
}

const wide =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
