import { csvLine, guarded } from "../../../text/csv-cells.ts";
import type { Cell, Report } from "./report.ts";

/**
 * The first table, for spreadsheets: a mark at its start tells them that it is UTF-8, and a text
 * that looks like a formula stays a text.
 */
export function csvOf({ tables: [{ columns, rows }] }: Report): string {
  const head = columns.map(({ title }) => guarded(title));
  const lines = [head, ...rows.map((cells) => cells.map(written))];
  return `\uFEFF${lines.map((cells) => csvLine(cells, "\r\n")).join("")}`;
}

const written = (cell: Cell): string =>
  typeof cell === "string" ? guarded(cell) : cell === null ? "" : String(cell);
