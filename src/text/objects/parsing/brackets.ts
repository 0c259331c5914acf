import { blankOutCode } from "./source.ts";

/** `[[…]]` on a line: a definition in a heading, a reference in a value. */
export interface BracketToken {
  /** Columns in UTF-16 units; the end is exclusive. */
  start: number;
  end: number;
  /** The text between the brackets. */
  inner: string;
}

/** Limits the search for the end of a token. Ids are shorter. */
const maxTokenLength = 200;

/** All `[[…]]` on a line outside code. Single brackets may be nested: `[[a: [Kind]]]`. */
export function findBracketTokens(line: string, opening = "[["): BracketToken[] {
  if (!line.includes(opening)) return [];
  const visible = blankOutCode(line);
  const tokens: BracketToken[] = [];
  for (let start = visible.indexOf(opening); start >= 0; ) {
    const end = endOfToken(visible, start);
    if (end > 0) tokens.push({ start, end, inner: line.slice(start + 2, end - 2) });
    start = visible.indexOf(opening, end > 0 ? end : start + 1);
  }
  return tokens;
}

/** The column after `]]`, or 0 if the token is not closed. */
function endOfToken(line: string, start: number): number {
  const limit = Math.min(line.length - 1, start + maxTokenLength);
  for (let at = start + 2; at < limit; at++) {
    if (line[at] === "]") return line[at + 1] === "]" ? at + 2 : 0;
    if (line[at] !== "[") continue;
    while (at < limit && line[at] !== "]") at++;
  }
  return 0;
}
