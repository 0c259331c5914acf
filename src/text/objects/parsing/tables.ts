import { elementAt } from "../../arrays/element-at.ts";
import { isFieldKey } from "../record-keys.ts";
import { parseScalar } from "../values/scalars.ts";
import type { Fields } from "../values/value.ts";
import type { Block } from "./blocks.ts";
import { typeName } from "./bullets.ts";
import type { LineIndex } from "./source.ts";

/** A table row: an object whose fields are named by the columns. */
export interface TableRow {
  line: LineIndex;
  /** The text of the first column. */
  label: string;
  fields: Fields;
  types: Fields | undefined;
}

/** The first row names the columns; the second is the delimiter row. */
export function readTableRows(lines: readonly string[], { start, end }: Block): TableRow[] {
  const keys = splitCells(elementAt(lines, start));
  const rows: TableRow[] = [];
  for (let line = start + 2; line < end; line++) {
    const cells = splitCells(elementAt(lines, line));
    const fields: Fields = new Map();
    const types: Fields = new Map();
    for (const [column, key] of keys.entries()) {
      if (key === "" || !isFieldKey(key)) continue;
      const { value } = parseScalar(cells[column] ?? "");
      fields.set(key, value);
      types.set(key, typeName(value));
    }
    rows.push({ line, label: cells[0] ?? "", fields, types: types.size > 0 ? types : undefined });
  }
  return rows;
}

/** The cells between `|`; the outer two are optional, `\|` is literal. */
function splitCells(line: string): string[] {
  const text = line.trim();
  const cells: string[] = [];
  let cell = "";
  for (let at = text.startsWith("|") ? 1 : 0; at < text.length; at++) {
    if (text[at] === "\\" && text[at + 1] === "|") cell += text[++at];
    else if (text[at] === "|") {
      cells.push(cell.trim());
      cell = "";
    } else cell += text[at];
  }
  return cell.trim() === "" ? cells : [...cells, cell.trim()];
}

/** Formats cells as a row. */
export const formatTableRow = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
