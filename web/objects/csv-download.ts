import { escapeFormula, formatCsvLine } from "../../src/text/formats/csv-writer.ts";

/** Rows as CSV, with formulas escaped against CSV injection in spreadsheets. */
export function toCsv(
  columns: readonly string[],
  rows: readonly Record<string, unknown>[],
): string {
  const lines = [columns, ...rows.map((row) => columns.map((name) => row[name]))];
  return lines.map((cells) => formatCsvLine(cells.map(csvCell), "\r\n")).join("");
}

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return escapeFormula(value);
  return typeof value === "object" ? escapeFormula(JSON.stringify(value)) : String(value);
}

/** Downloads a text as a file. */
export function downloadText(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
