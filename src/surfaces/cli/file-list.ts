import { visible } from "../../text/visible.ts";
import { cellOf } from "./csv.ts";
import { fileOf, type Row } from "./table.ts";

/**
 * A line for each file. A hit tells how well it fits and where it lies:
 *
 * ```
 * #3fa2c1,0.85,qmd://notes/2026-01.md,"Minutes of the archive"
 * ```
 */
export function fileListOf(rows: readonly Row[]): string {
  const lines = rows.flatMap((row) => {
    const file = fileOf(row);
    if (file === undefined) return [];
    return [row.docid === undefined ? visible(file) : hitLine(row, file)];
  });
  return lines.map((line) => `${line}\n`).join("");
}

/** The address has neither comma nor line end in it, so that the line can be cut at its commas. */
function hitLine({ docid, score, context }: Row, file: string): string {
  const parts = file.toWellFormed().split("/").map(encodeURIComponent);
  const about = context ? [`"${visible(cellOf(context)).replaceAll('"', '""')}"`] : [];
  return [cellOf(docid), cellOf(score), `qmd://${parts.join("/")}`, ...about].join(",");
}
