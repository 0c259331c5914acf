import { csvLine, guarded } from "../../src/text/csv-cells.ts";

/** Rows for a spreadsheet, in which no text is taken for a formula. */
export function csvOf(
  columns: readonly string[],
  rows: readonly Record<string, unknown>[],
): string {
  const lines = [columns, ...rows.map((row) => columns.map((name) => row[name]))];
  return lines.map((cells) => csvLine(cells.map(cellOf), "\r\n")).join("");
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return guarded(value);
  return typeof value === "object" ? guarded(JSON.stringify(value)) : String(value);
}

/** Lets the browser save a text as a file. */
export function save(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
