import { elementAt } from "../../src/text/arrays/element-at.ts";
import { fenceMarker } from "../../src/text/markdown/headings.ts";

/** A thematic break: `---`, `* * *`. */
export const isRule = (line: string): boolean => /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/.test(line);

export const isQuoted = (line: string): boolean => /^ {0,3}>/.test(line);

/** The marker of a list item: its number, if any, and the indent of its text. */
export function markerOf(line: string): { number?: number; indent: number } | undefined {
  const [whole, sign = "", gap = ""] = /^ {0,3}([-*+]|\d{1,9}[.)])([ \t]+|$)/.exec(line) ?? [];
  if (whole === undefined || isRule(line)) return undefined;
  // With more than four spaces, the item starts with indented code.
  const indent = gap.length > 4 ? whole.length - gap.length + 1 : whole.length;
  return /\d/.test(sign) ? { number: Number.parseInt(sign, 10), indent } : { indent };
}

/**
 * Whether a line continues a list item: it is indented, or continues a paragraph. A blank line
 * continues the item if the next non-blank line does.
 */
export function continuesItem(
  lines: readonly string[],
  at: number,
  indent: number,
  mayRepeat = true,
): boolean {
  const line = elementAt(lines, at);
  if (line.trim() === "") {
    let next = at + 1;
    while (next < lines.length && elementAt(lines, next).trim() === "") next++;
    if (next === lines.length) return false;
    const later = elementAt(lines, next);
    return indentOf(later) >= Math.min(indent, 4) || (mayRepeat && markerOf(later) !== undefined);
  }
  if (indentOf(line) >= Math.min(indent, 4)) return true;
  return elementAt(lines, at - 1).trim() !== "" && isParagraphLine(line);
}

/** The width of the leading white space in columns, with tab stops every four columns. */
export function indentOf(line: string): number {
  let columns = 0;
  for (const char of line) {
    if (char === " ") columns++;
    else if (char === "\t") columns += 4 - (columns % 4);
    else break;
  }
  return columns;
}

/** Removes the indent of a list item from a line. */
export function stripIndent(line: string, indent: number): string {
  if (!line.startsWith("\t")) return line.slice(Math.min(indent, indentOf(line)));
  const columns = indentOf(line);
  return " ".repeat(Math.max(columns - indent, 0)) + line.trimStart();
}

/** Whether a line can continue a paragraph. */
export const isParagraphLine = (line: string): boolean =>
  line.trim() !== "" &&
  !fenceMarker(line) &&
  !/^ {0,3}#{1,6}(?:[ \t]|$)/.test(line) &&
  !isRule(line) &&
  !isQuoted(line) &&
  !markerOf(line);
