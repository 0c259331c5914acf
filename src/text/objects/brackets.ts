import { withoutCode } from "./source.ts";

/** `[[…]]` on a line: a definition in a heading, a reference in a value. */
export interface Bracketed {
  /** Columns in UTF-16 units, the end exclusive. */
  start: number;
  end: number;
  /** What stands between the brackets. */
  inner: string;
}

/** No id is longer, and the search for the end of a token must not cost more than its line. */
const longestToken = 200;

/** Every `[[…]]` on a line that is not code; within it single brackets may stand: `[[a: [Kind]]]`. */
export function bracketedIn(line: string, opening = "[["): Bracketed[] {
  if (!line.includes(opening)) return [];
  const visible = withoutCode(line);
  const found: Bracketed[] = [];
  for (let start = visible.indexOf(opening); start >= 0; ) {
    const end = endOfToken(visible, start);
    if (end > 0) found.push({ start, end, inner: line.slice(start + 2, end - 2) });
    start = visible.indexOf(opening, end > 0 ? end : start + 1);
  }
  return found;
}

/** The column behind `]]`, or 0 when the token has no end. */
function endOfToken(line: string, start: number): number {
  const limit = Math.min(line.length - 1, start + longestToken);
  for (let at = start + 2; at < limit; at++) {
    if (line[at] === "]") return line[at + 1] === "]" ? at + 2 : 0;
    if (line[at] !== "[") continue;
    while (at < limit && line[at] !== "]") at++;
  }
  return 0;
}
