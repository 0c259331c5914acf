import { firstHeading } from "../../../text/markdown/headings.ts";
import { splitLines } from "../../../text/strings/lines.ts";

/**
 * Normalises the output of a converter: no control characters, no trailing whitespace, at most one
 * empty line in a row.
 */
export function tidyMarkdown(text: string): string {
  const lines = text
    .replace(/\r\n?/g, "\n")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: removes control characters
    .replace(/[\0-\x08\x0b\x0e-\x1f\x7f]/g, "")
    .replace(/[\u00a0\u2007\u202f]/g, " ")
    .replace(/\f/g, "\n")
    .split("\n")
    .map((line) => line.trimEnd());
  const withoutDoubleBlanks = lines.filter(
    (line, index) => line !== "" || (index > 0 && lines[index - 1] !== ""),
  );
  const tidy = withoutDoubleBlanks.join("\n").trimEnd();
  return tidy === "" ? "" : `${tidy}\n`;
}

/** Escapes a line of plain text that would start a heading or a code block. */
export const escapeBlockMarks = (line: string): string =>
  line.replace(/^(\s*)(?=#{1,6}(\s|$)|`{3}|~{3})/, "$1\\");

/** A heading, with its text on one line. */
export const renderHeading = (depth: number, text: string): string =>
  `${"#".repeat(Math.min(Math.max(depth, 1), 6))} ${text.replace(/\s+/g, " ").trim()}`;

/** The lines of a table. The first row is the header. */
export function renderTableLines(rows: readonly (readonly string[])[]): string[] {
  const [first, ...others] = rows.map((cells) => `| ${cells.map(escapeTableCell).join(" | ")} |`);
  return first === undefined ? [] : [first, tableDelimiterRow(rows[0]?.length ?? 1), ...others];
}

export const escapeTableCell = (text: string): string =>
  text.replace(/\s+/g, " ").trim().replaceAll("|", "\\|");

/** The line between the header and the body. */
export const tableDelimiterRow = (columns: number): string =>
  `|${" --- |".repeat(Math.max(columns, 1))}`;

/** Prepends the title as a heading, unless the text already has that title. */
export function withTitle(text: string, title: string | null | undefined): string {
  const heading = title?.replace(/\s+/g, " ").trim();
  if (!heading || firstHeading(splitLines(text))?.title === heading) return text;
  return `${renderHeading(1, heading)}\n\n${text}`;
}

export const hasHeading = (text: string): boolean => firstHeading(splitLines(text)) !== undefined;
