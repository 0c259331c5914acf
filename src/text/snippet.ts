import { linesOf } from "./lines.ts";
import { placedTokens, tokensOf } from "./tokens.ts";

/** The most that a snippet holds, in UTF-16 units, before line numbers are added. */
const snippetLength = 300;

export interface Excerpt {
  /** The first line's number in the file. */
  line: number;
  lines: string[];
}

/**
 * The part of a text that shows best why it was found: the line with most of the tokens, one line
 * before it and as many after it as fit. `firstLine` is the number of the text's own first line.
 */
export function excerpt(text: string, wanted: ReadonlySet<string>, firstLine: number): Excerpt {
  const lines = linesOf(text);
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

function bestLine(lines: readonly string[], wanted: ReadonlySet<string>): number {
  let best = 0;
  let most = 0;
  for (const [index, line] of lines.entries()) {
    const count = new Set(tokensOf(line).filter((token) => wanted.has(token))).size;
    if (count > most) {
      best = index;
      most = count;
    }
  }
  return best;
}

/** A window of a long line around its first wanted token, never cutting a surrogate pair. */
function around(line: string, wanted: ReadonlySet<string>, length: number): string {
  const first = firstPlace(line, wanted);
  const start = Math.max(0, Math.min(first - Math.floor(length / 4), line.length - length));
  return line
    .slice(start, start + length)
    .replace(/^[\uDC00-\uDFFF]/, "")
    .replace(/[\uD800-\uDBFF]$/, "");
}

function firstPlace(line: string, wanted: ReadonlySet<string>): number {
  for (const { form, start } of placedTokens(line)) if (wanted.has(form)) return start;
  return 0;
}
