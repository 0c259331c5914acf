import { fenceMark } from "../../src/text/headings.ts";

/** `---`, `* * *`: a line across the page. */
export const isRule = (line: string): boolean => /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/.test(line);

export const isQuoted = (line: string): boolean => /^ {0,3}>/.test(line);

/** What begins an item: its number where it has one, and how far its text stands in. */
export function markerOf(line: string): { number?: number; indent: number } | undefined {
  const [whole, sign = "", gap = ""] = /^ {0,3}([-*+]|\d{1,9}[.)])([ \t]+|$)/.exec(line) ?? [];
  if (whole === undefined || isRule(line)) return undefined;
  // What stands in further is code within the item.
  const indent = gap.length > 4 ? whole.length - gap.length + 1 : whole.length;
  return /\d/.test(sign) ? { number: Number.parseInt(sign, 10), indent } : { indent };
}

/**
 * Whether a line goes on with an item: it stands in, or follows its words without a blank line. A
 * blank line belongs to what comes behind it.
 */
export function belongs(
  lines: readonly string[],
  at: number,
  indent: number,
  mayRepeat = true,
): boolean {
  const line = lines[at] ?? "";
  if (line.trim() === "") {
    let next = at + 1;
    while (next < lines.length && (lines[next] ?? "").trim() === "") next++;
    const later = lines[next];
    if (later === undefined) return false;
    return indentOf(later) >= Math.min(indent, 4) || (mayRepeat && markerOf(later) !== undefined);
  }
  if (indentOf(line) >= Math.min(indent, 4)) return true;
  return (lines[at - 1] ?? "").trim() !== "" && isPlain(line);
}

/** A tab reaches to the next column that four divides. */
export function indentOf(line: string): number {
  let columns = 0;
  for (const letter of line) {
    if (letter === " ") columns++;
    else if (letter === "\t") columns += 4 - (columns % 4);
    else break;
  }
  return columns;
}

/** A line without the room that an item takes before it. */
export function inwards(line: string, indent: number): string {
  if (!line.startsWith("\t")) return line.slice(Math.min(indent, indentOf(line)));
  const columns = indentOf(line);
  return " ".repeat(Math.max(columns - indent, 0)) + line.trimStart();
}

/** Whether a line can go on with a paragraph. */
export const isPlain = (line: string): boolean =>
  line.trim() !== "" &&
  !fenceMark(line) &&
  !/^ {0,3}#{1,6}(?:[ \t]|$)/.test(line) &&
  !isRule(line) &&
  !isQuoted(line) &&
  !markerOf(line);
