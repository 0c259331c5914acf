import { escapeXml } from "../../../text/formats/xml-escape.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import type { OutputFormat } from "../arguments/result-flags.ts";
import { cellText, formatCsv } from "./csv-rows.ts";
import { formatMarkdown } from "./markdown-rows.ts";
import { type ResultRow, type ResultTable, rowFile, visibleColumns } from "./result-table.ts";

/** Formats an output in one of the formats that print rows. */
export function formatRows(
  format: Exclude<OutputFormat, "text" | "json">,
  table: ResultTable,
  output: Readonly<Record<string, unknown>>,
  { isNullTerminated = false } = {},
): string {
  const rows = table.rowsIn(output);
  const columns = visibleColumns(table, rows);
  switch (format) {
    case "csv":
      return formatCsv(columns, rows, table);
    case "md":
      return formatMarkdown(columns, rows);
    case "xml":
      return formatXml(columns, rows);
    case "files":
      return formatFileList(rows);
    case "paths":
      return formatPaths(rows, isNullTerminated ? "\0" : "\n");
  }
}

/**
 * One line per file. A search hit also has its id, score and context:
 *
 * ```
 * #3fa2c1,0.85,qmd://notes/2026-01.md,"Minutes of the archive"
 * ```
 */
function formatFileList(rows: readonly ResultRow[]): string {
  const lines = rows.flatMap((row) => {
    const file = rowFile(row);
    if (file === undefined) return [];
    return [row.docid === undefined ? toPrintable(file) : hitLine(row, file)];
  });
  return lines.map((line) => `${line}\n`).join("");
}

/** Each file once, byte for byte: a program opens it by this name. */
const formatPaths = (rows: readonly ResultRow[], end: string): string =>
  [...new Set(rows.flatMap((row) => rowFile(row) ?? []))].map((path) => path + end).join("");

/** The URI is percent-encoded, so the first three fields can be split at commas. */
function hitLine({ docid, score, context }: ResultRow, file: string): string {
  const parts = file.toWellFormed().split("/").map(encodeURIComponent);
  const about = context ? [`"${toPrintable(cellText(context)).replaceAll('"', '""')}"`] : [];
  return [cellText(docid), cellText(score), `qmd://${parts.join("/")}`, ...about].join(",");
}

/** `<rows>` of `<row>`, with an element for each value that is not null. */
function formatXml(columns: readonly string[], rows: readonly ResultRow[]): string {
  const lines = rows.flatMap((row) => [
    "  <row>",
    ...columns
      .filter((name) => row[name] !== undefined && row[name] !== null)
      .map((name) => `    ${element(name, cellText(row[name]))}`),
    "  </row>",
  ]);
  return `${['<?xml version="1.0" encoding="UTF-8"?>', "<rows>", ...lines, "</rows>"].join("\n")}\n`;
}

/** A key that is not a valid XML name, such as one with a space, becomes an attribute. */
function element(name: string, text: string): string {
  const isName = /^[A-Za-z_][\w.-]*$/.test(name) && !/^xml/i.test(name);
  const [tag, start] = isName ? [name, name] : ["value", `value name="${escapeXml(name)}"`];
  return `<${start}>${escapeXml(text)}</${tag}>`;
}
