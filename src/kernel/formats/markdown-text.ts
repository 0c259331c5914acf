import { titleOf } from "../../text/headings.ts";
import { linesOf } from "../../text/lines.ts";

/**
 * What a converter put together, as a file would hold it: no control characters, no spaces at the
 * ends of lines, at most one empty line in a row.
 */
export function tidied(text: string): string {
  const lines = text
    .replace(/\r\n?/g, "\n")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must go.
    .replace(/[\0-\x08\x0b\x0e-\x1f\x7f]/g, "")
    .replace(/[\u00a0\u2007\u202f]/g, " ")
    .replace(/\f/g, "\n")
    .split("\n")
    .map((line) => line.trimEnd());
  const kept = lines.filter((line, index) => line !== "" || (index > 0 && lines[index - 1] !== ""));
  const whole = kept.join("\n").trimEnd();
  return whole === "" ? "" : `${whole}\n`;
}

/** A line of plain words must not turn into a heading or open a code block. */
export const asPlainLine = (line: string): string =>
  line.replace(/^(\s*)(?=#{1,6}(\s|$)|`{3}|~{3})/, "$1\\");

/** A heading is one line. */
export const heading = (depth: number, words: string): string =>
  `${"#".repeat(Math.min(Math.max(depth, 1), 6))} ${words.replace(/\s+/g, " ").trim()}`;

/** Rows of cells as lines, of which the first names the columns. */
export function tableLines(rows: readonly (readonly string[])[]): string[] {
  const [first, ...others] = rows.map((cells) => `| ${cells.map(asCell).join(" | ")} |`);
  return first === undefined ? [] : [first, tableRule(rows[0]?.length ?? 1), ...others];
}

export const asCell = (words: string): string =>
  words.replace(/\s+/g, " ").trim().replaceAll("|", "\\|");

/** The line below the first row; it has that row's columns. */
export const tableRule = (columns: number): string => `|${" --- |".repeat(Math.max(columns, 1))}`;

/** The text under its title, unless its first heading says the same. */
export function titled(text: string, title: string | null | undefined): string {
  const words = title?.replace(/\s+/g, " ").trim();
  if (!words || titleOf(linesOf(text), "") === words) return text;
  return `${heading(1, words)}\n\n${text}`;
}

export const hasHeading = (text: string): boolean => titleOf(linesOf(text), "") !== "";
