import { longestRun } from "../markdown/longest-run.ts";
import { asJsonObject, tryParseJson } from "./json-value.ts";

/**
 * Converts a Jupyter notebook to Markdown: text cells unchanged, code in fences, text outputs
 * shortened. Undefined if the JSON is not a notebook.
 */
export function notebookToMarkdown(json: string): string | undefined {
  const notebook = tryParseJson(json);
  const cells = cellsOf(notebook);
  if (!cells) return undefined;
  const metadata = asJsonObject(asJsonObject(notebook).metadata);
  const language =
    languageName(asJsonObject(metadata.kernelspec).language) ??
    languageName(asJsonObject(metadata.language_info).name);
  const title = typeof metadata.title === "string" ? metadata.title.trim() : "";
  const parts = cells.flatMap((cell) => cellParts(asJsonObject(cell), language ?? "python"));
  const hasTitle = parts.some((part) => /^# /.test(part));
  if (title !== "" && !hasTitle) parts.unshift(`# ${title}`);
  return parts.length === 0 ? "" : `${parts.join("\n\n")}\n`;
}

/** In format 3 and older, cells are grouped in worksheets. */
function cellsOf(notebook: unknown): unknown[] | undefined {
  const { cells, worksheets } = asJsonObject(notebook);
  if (Array.isArray(cells)) return cells;
  if (!Array.isArray(worksheets)) return undefined;
  return worksheets.flatMap((sheet) => list(asJsonObject(sheet).cells));
}

function cellParts(cell: Record<string, unknown>, language: string): string[] {
  const source = sourceText(cell.source ?? cell.input).trim();
  switch (cell.cell_type) {
    case "code": {
      const code = source === "" ? [] : [fenced(source, languageName(cell.language) ?? language)];
      return [
        ...code,
        ...list(cell.outputs).flatMap((output) => outputParts(asJsonObject(output))),
      ];
    }
    case "heading":
      return source === "" ? [] : [`${"#".repeat(depthOf(cell.level))} ${source}`];
    default:
      return source === "" ? [] : [stripDataUrls(source)];
  }
}

const depthOf = (level: unknown): number =>
  typeof level === "number" ? Math.min(Math.max(Math.round(level), 1), 6) : 1;

/** Tables and logs may have thousands of lines. */
const maxOutputLines = 20;
const maxOutputLength = 2_000;

function outputParts(output: Record<string, unknown>): string[] {
  const isError = output.output_type === "error";
  const result = isError
    ? `${sourceText(output.ename)}: ${sourceText(output.evalue)}`
    : sourceText(output.text ?? asJsonObject(output.data)["text/plain"]);
  const text = stripDataUrls(stripAnsiCodes(result)).trimEnd();
  // The text form of a figure is only an object name, such as `<Figure size 640x480>`.
  if (text.trim() === "" || /^<\w[^\n]*>$/.test(text)) return [];
  const lines = text.slice(0, maxOutputLength).split("\n").slice(0, maxOutputLines);
  const shortened = lines.join("\n");
  return [fenced(shortened.length < text.length ? `${shortened}\n…` : shortened, "text")];
}

const stripAnsiCodes = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences start with ESC.
  text.replace(/\u001b\[[\d;]*[A-Za-z]/g, "");

const stripDataUrls = (text: string): string =>
  text.replace(/data:[\w/+.-]+;base64,[\w+/=]+/g, "data:");

/** Uses a fence longer than any run of backticks in the code. */
function fenced(code: string, language: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(code, "`") + 1));
  return `${fence}${language}\n${code}\n${fence}`;
}

/** Notebooks store text as a string or as a list of lines. */
function sourceText(value: unknown): string {
  if (typeof value === "string") return value;
  return list(value)
    .filter((line) => typeof line === "string")
    .join("");
}

const languageName = (value: unknown): string | undefined =>
  typeof value === "string" && /^[\w+#-]+$/.test(value) ? value.toLowerCase() : undefined;

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
