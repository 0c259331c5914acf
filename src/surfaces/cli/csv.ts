import type { Row } from "./table.ts";

/** A line of names, then a line for each row, as RFC 4180 quotes them; lines end as a shell's do. */
export function csvOf(columns: readonly string[], rows: readonly Row[]): string {
  const lines = [columns, ...rows.map((row) => columns.map((name) => cellOf(row[name])))];
  return lines.map((cells) => `${cells.map(quotedCell).join(",")}\n`).join("");
}

/** A value as the text of one cell; what has parts of its own is JSON. */
export function cellOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

const quotedCell = (text: string): string =>
  /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
