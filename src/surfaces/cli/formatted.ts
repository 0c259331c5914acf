import type { Format } from "./answer-flags.ts";
import { csvOf } from "./csv.ts";
import { fileListOf } from "./file-list.ts";
import { markdownOf } from "./markdown.ts";
import { columnsIn, type Table } from "./table.ts";
import { xmlOf } from "./xml.ts";

/** An answer in one of the formats that print rows. */
export function formatted(
  format: Exclude<Format, "text" | "json">,
  table: Table,
  output: Readonly<Record<string, unknown>>,
): string {
  const rows = table.rowsIn(output);
  const columns = columnsIn(table, rows);
  switch (format) {
    case "csv":
      return csvOf(columns, rows, table);
    case "md":
      return markdownOf(columns, rows);
    case "xml":
      return xmlOf(columns, rows);
    case "files":
      return fileListOf(rows);
  }
}
