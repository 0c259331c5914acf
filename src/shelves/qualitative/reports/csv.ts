import { escapeFormula, formatCsvLine } from "../../../text/formats/csv-writer.ts";
import type { Cell, Report } from "./report.ts";

/** The first table as CSV for spreadsheets, with a byte order mark; formulas are escaped. */
export function renderReportCsv({ tables: [{ columns, rows }] }: Report): string {
  const head = columns.map(({ title }) => escapeFormula(title));
  const lines = [head, ...rows.map((cells) => cells.map(formatCsvCell))];
  return `\uFEFF${lines.map((cells) => formatCsvLine(cells, "\r\n")).join("")}`;
}

const formatCsvCell = (cell: Cell): string =>
  typeof cell === "string" ? escapeFormula(cell) : cell === null ? "" : String(cell);
