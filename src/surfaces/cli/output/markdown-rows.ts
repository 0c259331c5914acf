import { longestRun } from "../../../text/markdown/longest-run.ts";
import { escapeMarkdown, renderMarkdownTable } from "../../../text/markdown/markdown-output.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import { cellText } from "./csv-rows.ts";
import { type ResultRow, rowFile } from "./result-table.ts";

/** Rows with document text become sections with fenced text; other rows become a table. */
export function formatMarkdown(columns: readonly string[], rows: readonly ResultRow[]): string {
  if (rows.length === 0) return "Nothing found.\n";
  const shownTextColumns = columns.filter((name) => textColumns.includes(name));
  if (shownTextColumns.length === 0) return formatTable(columns, rows);
  return rows.map((row) => section(columns, shownTextColumns, row)).join("\n");
}

/** Columns that contain document text. */
const textColumns = ["snippet", "text", "body", "preview"];

function section(
  columns: readonly string[],
  shownTextColumns: readonly string[],
  row: ResultRow,
): string {
  const title = cellText(row.title ?? rowFile(row) ?? row.name ?? (columns[0] && row[columns[0]]));
  const facts = columns.filter((name) => !shownTextColumns.includes(name) && name !== "title");
  const lines = facts
    .map((name) => [name, formatInline(row[name])])
    .flatMap(([name, value]) => (value ? [`- ${name}: ${value}`] : []));
  // The body already contains the snippet.
  const shown = shownTextColumns.filter((name) => name !== "snippet" || row.body === undefined);
  const fenced = shown.map((name) => cellText(row[name])).filter((text) => text !== "");
  return [
    `## ${escapeMarkdown(toPrintable(title))}\n`,
    ...(lines.length > 0 ? [`${lines.join("\n")}\n`] : []),
    ...fenced.map((text) => `${fence(text)}\n`),
  ].join("\n");
}

const formatTable = (columns: readonly string[], rows: readonly ResultRow[]): string =>
  renderMarkdownTable(
    columns.map((name) => escapeMarkdown(toPrintable(name))),
    rows.map((row) => columns.map((name) => formatInline(row[name]))),
  );

/** Prose as text; a value without spaces, such as an id, path or date, as code. */
function formatInline(value: unknown): string {
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) {
    return value.map((item) => escapeMarkdown(toPrintable(item))).join(" › ");
  }
  const text = toPrintable(cellText(value));
  if (typeof value !== "string" && typeof value !== "object") return text;
  if (text === "") return "";
  return typeof value === "string" && /\s/.test(text) ? escapeMarkdown(text) : code(text);
}

function code(text: string): string {
  const ticks = "`".repeat(longestRun(text, "`") + 1);
  const space = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return ticks + space + text + space + ticks;
}

function fence(text: string): string {
  const ticks = "`".repeat(Math.max(3, longestRun(text, "`") + 1));
  return `${ticks}\n${text.replace(/\n$/, "")}\n${ticks}`;
}
