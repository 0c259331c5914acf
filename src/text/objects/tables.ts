import type { Block } from "./blocks.ts";
import { typeName } from "./bullets.ts";
import { isFieldKey } from "./record-keys.ts";
import { readScalar } from "./scalars.ts";
import type { LineIndex } from "./source.ts";
import type { Fields } from "./value.ts";

/** A row of a table: an object whose fields are called as the columns are. */
export interface Row {
  line: LineIndex;
  /** What stands in its first column. */
  label: string;
  fields: Fields;
  types: Fields | undefined;
}

/** The first row names the columns; the second is a rule. */
export function rowsOf(lines: readonly string[], { start, end }: Block): Row[] {
  const keys = cellsOf(lines[start] ?? "");
  const rows: Row[] = [];
  for (let line = start + 2; line < end; line++) {
    const cells = cellsOf(lines[line] ?? "");
    const fields: Fields = new Map();
    const types: Fields = new Map();
    for (const [column, key] of keys.entries()) {
      if (key === "" || !isFieldKey(key)) continue;
      const { value } = readScalar(cells[column] ?? "");
      fields.set(key, value);
      types.set(key, typeName(value));
    }
    rows.push({ line, label: cells[0] ?? "", fields, types: types.size > 0 ? types : undefined });
  }
  return rows;
}

/** Between the bars, of which the outer two may be missing; `\|` is a bar within a cell. */
function cellsOf(line: string): string[] {
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

/** A row of such cells. */
export const rowWith = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
