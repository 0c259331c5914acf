import { escapeMarkdown, renderMarkdownTable } from "../../../text/markdown/markdown-output.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import type { Cell, Report, Table } from "./report.ts";

/** All tables with their titles, then the notes. */
export const renderReportMarkdown = ({ title, tables, notes }: Report): string =>
  [
    `# ${escapeText(title)}\n`,
    ...tables.map((table) => `## ${escapeText(table.title)}\n\n${renderReportTable(table)}`),
    ...notes.map((note) => `${escapeText(note)}\n`),
  ].join("\n");

export const renderReportTable = ({ columns, rows }: Pick<Table, "columns" | "rows">): string =>
  rows.length === 0
    ? "Nothing.\n"
    : renderMarkdownTable(
        columns.map(({ title }) => escapeText(title)),
        rows.map((cells) => cells.map(formatCell)),
      );

const formatCell = (cell: Cell): string =>
  typeof cell === "string" ? escapeText(cell) : cell === null ? "" : String(cell);

/** A cell is one line, so line breaks become spaces. */
const escapeText = (text: string): string => escapeMarkdown(toPrintable(text));
