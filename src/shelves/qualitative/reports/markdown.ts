import { inMarkdown, markdownTable } from "../../../text/markdown-cells.ts";
import { visible } from "../../../text/visible.ts";
import type { Cell, Report, Table } from "./report.ts";

/** All tables under their titles, with what a reader must know below. */
export const markdownOf = ({ title, tables, notes }: Report): string =>
  [
    `# ${words(title)}\n`,
    ...tables.map((table) => `## ${words(table.title)}\n\n${tableOf(table)}`),
    ...notes.map((note) => `${words(note)}\n`),
  ].join("\n");

export const tableOf = ({ columns, rows }: Pick<Table, "columns" | "rows">): string =>
  rows.length === 0
    ? "Nothing.\n"
    : markdownTable(
        columns.map(({ title }) => words(title)),
        rows.map((cells) => cells.map(written)),
      );

const written = (cell: Cell): string =>
  typeof cell === "string" ? words(cell) : cell === null ? "" : String(cell);

/** A cell is one line, so line breaks become spaces. */
const words = (text: string): string => inMarkdown(visible(text));
