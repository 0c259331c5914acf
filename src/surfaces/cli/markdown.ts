import { longestRun } from "../../text/longest-run.ts";
import { inMarkdown, markdownTable } from "../../text/markdown-cells.ts";
import { visible } from "../../text/visible.ts";
import { cellOf } from "./csv.ts";
import { fileOf, type Row } from "./table.ts";

/** Rows that hold a piece of a document are sections with the piece fenced; others are a table. */
export function markdownOf(columns: readonly string[], rows: readonly Row[]): string {
  if (rows.length === 0) return "Nothing found.\n";
  const pieces = columns.filter((name) => pieceColumns.includes(name));
  if (pieces.length === 0) return tableOf(columns, rows);
  return rows.map((row) => section(columns, pieces, row)).join("\n");
}

/** Columns that hold lines of a document. */
const pieceColumns = ["snippet", "text", "body", "preview"];

function section(columns: readonly string[], pieces: readonly string[], row: Row): string {
  const title = cellOf(row.title ?? fileOf(row) ?? row.name ?? row[columns[0] ?? ""]);
  const facts = columns.filter((name) => !pieces.includes(name) && name !== "title");
  const lines = facts
    .map((name) => [name, inline(row[name])])
    .flatMap(([name, value]) => (value ? [`- ${name}: ${value}`] : []));
  // The whole text holds the snippet already.
  const shown = pieces.filter((name) => name !== "snippet" || row.body === undefined);
  const fenced = shown.map((name) => cellOf(row[name])).filter((text) => text !== "");
  return [
    `## ${inMarkdown(visible(title))}\n`,
    ...(lines.length > 0 ? [`${lines.join("\n")}\n`] : []),
    ...fenced.map((text) => `${fence(text)}\n`),
  ].join("\n");
}

const tableOf = (columns: readonly string[], rows: readonly Row[]): string =>
  markdownTable(
    columns.map((name) => inMarkdown(visible(name))),
    rows.map((row) => columns.map((name) => inline(row[name]))),
  );

/** Words as words; an id, a path or a date, which has no space in it, as code. */
function inline(value: unknown): string {
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) {
    return value.map((item) => inMarkdown(visible(item))).join(" › ");
  }
  const text = visible(cellOf(value));
  if (typeof value !== "string" && typeof value !== "object") return text;
  if (text === "") return "";
  return typeof value === "string" && /\s/.test(text) ? inMarkdown(text) : code(text);
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
