import { escapeFormula, formatCsvLine } from "../../../text/formats/csv-writer.ts";
import type { ResultRow } from "./result-table.ts";

/** A header line, then one line per row, each ended by a line feed. */
export function formatCsv(
  columns: readonly string[],
  rows: readonly ResultRow[],
  { isGuarded = false } = {},
): string {
  const format = (value: unknown): string =>
    isGuarded && typeof value === "string" ? escapeFormula(value) : cellText(value);
  const lines = [
    columns.map(format),
    ...rows.map((row) => columns.map((name) => format(row[name]))),
  ];
  return lines.map((cells) => formatCsvLine(cells)).join("");
}

/** The text of one cell; objects and arrays are formatted as JSON. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
