import { objectIn, parsedJson } from "./json-value.ts";
import { longestRun } from "./longest-run.ts";

/**
 * A Jupyter notebook as Markdown: its words as they are, its code in fences, the text of its
 * results in short. `undefined` means that it is no notebook.
 */
export function notebookToMarkdown(json: string): string | undefined {
  const notebook = parsedJson(json);
  const cells = cellsOf(notebook);
  if (!cells) return undefined;
  const about = objectIn(objectIn(notebook).metadata);
  const language =
    word(objectIn(about.kernelspec).language) ?? word(objectIn(about.language_info).name);
  const title = typeof about.title === "string" ? about.title.trim() : "";
  const parts = cells.flatMap((cell) => cellParts(objectIn(cell), language ?? "python"));
  const hasTitle = parts.some((part) => /^# /.test(part));
  if (title !== "" && !hasTitle) parts.unshift(`# ${title}`);
  return parts.length === 0 ? "" : `${parts.join("\n\n")}\n`;
}

/** Older notebooks keep their cells on worksheets. */
function cellsOf(notebook: unknown): unknown[] | undefined {
  const { cells, worksheets } = objectIn(notebook);
  if (Array.isArray(cells)) return cells;
  if (!Array.isArray(worksheets)) return undefined;
  return worksheets.flatMap((sheet) => list(objectIn(sheet).cells));
}

function cellParts(cell: Record<string, unknown>, language: string): string[] {
  const source = textOf(cell.source ?? cell.input).trim();
  switch (cell.cell_type) {
    case "code": {
      const code = source === "" ? [] : [fenced(source, word(cell.language) ?? language)];
      return [...code, ...list(cell.outputs).flatMap((output) => outputParts(objectIn(output)))];
    }
    case "heading":
      return source === "" ? [] : [`${"#".repeat(depthOf(cell.level))} ${source}`];
    default:
      return source === "" ? [] : [withoutData(source)];
  }
}

const depthOf = (level: unknown): number =>
  typeof level === "number" ? Math.min(Math.max(Math.round(level), 1), 6) : 1;

/** Enough of a result to recognise it; tables and logs may have many thousands of lines. */
const mostLines = 20;
const mostLetters = 2_000;

function outputParts(output: Record<string, unknown>): string[] {
  const isError = output.output_type === "error";
  const shown = isError
    ? `${textOf(output.ename)}: ${textOf(output.evalue)}`
    : textOf(output.text ?? objectIn(output.data)["text/plain"]);
  const text = withoutData(withoutColours(shown)).trimEnd();
  // The name of a figure says nothing without the figure.
  if (text.trim() === "" || /^<\w[^\n]*>$/.test(text)) return [];
  const lines = text.slice(0, mostLetters).split("\n").slice(0, mostLines);
  const short = lines.join("\n");
  return [fenced(short.length < text.length ? `${short}\n…` : short, "text")];
}

/** The marks by which a terminal sets colours. */
const withoutColours = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the marks begin with one.
  text.replace(/\u001b\[[\d;]*[A-Za-z]/g, "");

const withoutData = (text: string): string =>
  text.replace(/data:[\w/+.-]+;base64,[\w+/=]+/g, "data:");

/** The fence is longer than any in the code. */
function fenced(code: string, language: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(code, "`") + 1));
  return `${fence}${language}\n${code}\n${fence}`;
}

/** A text, or the list of its lines. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return list(value)
    .filter((line) => typeof line === "string")
    .join("");
}

const word = (value: unknown): string | undefined =>
  typeof value === "string" && /^[\w+#-]+$/.test(value) ? value.toLowerCase() : undefined;

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
