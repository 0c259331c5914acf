import { csvLine, guarded } from "../../text/csv-cells.ts";
import type { Row } from "./table.ts";

/** A line of names, then a line for each row; lines end as a shell's do. */
export function csvOf(
  columns: readonly string[],
  rows: readonly Row[],
  { isGuarded = false } = {},
): string {
  const written = (value: unknown): string =>
    isGuarded && typeof value === "string" ? guarded(value) : cellOf(value);
  const lines = [
    columns.map(written),
    ...rows.map((row) => columns.map((name) => written(row[name]))),
  ];
  return lines.map((cells) => csvLine(cells)).join("");
}

/** A value as the text of one cell; what has parts of its own is JSON. */
export function cellOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
