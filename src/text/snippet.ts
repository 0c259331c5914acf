import { linesOf } from "./lines.ts";

/** The most that a snippet holds, in UTF-16 units, before line numbers are added. */
const snippetLength = 300;

export interface Excerpt {
  /** The first line's number in the file. */
  line: number;
  lines: string[];
}

/**
 * The part of a text that shows best why it was found: the line with most of the words, one line
 * before it and as many after it as fit. `firstLine` is the number of the text's own first line.
 */
export function excerpt(text: string, words: readonly string[], firstLine: number): Excerpt {
  const lines = linesOf(text);
  const wanted = words.map((word) => word.toLowerCase());
  const best = bestLine(lines, wanted);
  const start = best > 0 && (lines[best - 1] ?? "").trim() !== "" ? best - 1 : best;
  const chosen: string[] = [];
  let left = snippetLength;
  for (const [offset, line] of lines.slice(start).entries()) {
    const mustFit = start + offset === best;
    if (line.length > left) {
      if (chosen.length === 0 || mustFit) chosen.push(around(line, wanted, Math.max(left, 80)));
      break;
    }
    chosen.push(line);
    left -= line.length + 1;
  }
  while (chosen.length > 1 && chosen.at(-1)?.trim() === "") chosen.pop();
  return { line: firstLine + start, lines: chosen };
}

function bestLine(lines: readonly string[], wanted: readonly string[]): number {
  let best = 0;
  let most = 0;
  for (const [index, line] of lines.entries()) {
    const lower = line.toLowerCase();
    const count = wanted.filter((word) => lower.includes(word)).length;
    if (count > most) {
      best = index;
      most = count;
    }
  }
  return best;
}

/** A window of a long line around its first wanted word, never cutting a surrogate pair. */
function around(line: string, wanted: readonly string[], length: number): string {
  const lower = line.toLowerCase();
  const places = wanted.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
  const first = places.length > 0 ? Math.min(...places) : 0;
  const start = Math.max(0, Math.min(first - Math.floor(length / 4), line.length - length));
  return line
    .slice(start, start + length)
    .replace(/^[\uDC00-\uDFFF]/, "")
    .replace(/[\uD800-\uDBFF]$/, "");
}
