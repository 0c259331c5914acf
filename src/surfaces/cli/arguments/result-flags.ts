import * as z from "zod";
import { invalid } from "../../../kernel/failure.ts";
import type { CatalogueEntry } from "../../../kernel/operations/catalogue.ts";
import { hasFileColumn, resultTableOf } from "../output/result-table.ts";
import { type Flag, flagsOf } from "./flag.ts";

/** The format in which a result is printed. */
export type OutputFormat = (typeof outputFormats)[number];

const outputFormats = ["text", "json", "csv", "md", "xml", "files", "paths"] as const;

/** The values of the result flags. */
export interface ResultOptions {
  readonly format: OutputFormat;
  /** The port of the server to call; undefined to run in this process. */
  readonly server: number | undefined;
  /** Whether files are shown by their paths on disk. */
  readonly fullPath: boolean;
  /** Whether paths end with a NUL character instead of a line feed. */
  readonly isNullTerminated: boolean;
  /** Whether to open the first result in an editor. */
  readonly open: boolean;
}

/** The default port of the server. */
export const defaultPort = 18_765;

/** The flags of an operation's result: its output format, and the server to call. */
export function resultFlagsOf({ operation }: CatalogueEntry): Flag[] {
  const table = resultTableOf(operation);
  const isTable = table.columns.length > 0 || table.isOpen;
  const { http } = operation.expose;
  // Decisions are made by a person at the shell or in the web app, never over REST.
  const isServed = http !== undefined && operation.effect !== "decides";
  const has = (name: string) => {
    if (name === "mode" || name === "port") return isServed;
    if (documentFlags.includes(name)) return table.namesDocuments;
    return name === "files" ? isTable && hasFileColumn(table) : isTable;
  };
  const format = ["text", "json", ...outputFormats.slice(2).filter(has)];
  return flagsOf(resultFlagSchema(format)).filter(({ name }) => name === "format" || has(name));
}

/** The flags of results that name documents. */
const documentFlags = ["paths", "null", "full-path", "open"];

/** The result flags of all commands, for the main help page. */
export const allResultFlags = (): Flag[] => flagsOf(resultFlagSchema(outputFormats));

/** A function, because most command lines use none of these flags. */
const resultFlagSchema = (choices: readonly string[]) =>
  z.object({
    format: z.enum(choices).optional().describe("Output format"),
    csv: z.boolean().default(false).describe("Print CSV, one line per row"),
    md: z.boolean().default(false).describe("Print Markdown"),
    xml: z.boolean().default(false).describe("Print XML"),
    files: z
      .boolean()
      .default(false)
      .describe("Print one line per file; for a search docid, score and URI, as qmd prints them"),
    paths: z.boolean().default(false).describe("Print only the paths on disk, one per line"),
    null: z
      .boolean()
      .default(false)
      .describe("Print only the paths on disk, separated by NUL characters, for xargs -0")
      .meta({ short: "0" }),
    fullPath: z.boolean().default(false).describe("Show paths on disk, not collection/path"),
    open: z
      .boolean()
      .default(false)
      .describe("Open the first result at its line, in $VISUAL, $EDITOR or the desktop's program"),
    mode: z
      .enum(["local", "server"])
      .default("local")
      .describe("Run in this process, or on a running server"),
    port: z
      .int()
      .min(1)
      .max(65_535)
      .default(defaultPort)
      .describe("Port of the server, with --mode server"),
  });

/** Rejects two formats, and a port without a server. */
export function readResultOptions(
  values: Readonly<Record<string, unknown>>,
  json: boolean,
): ResultOptions {
  const formats = new Map<unknown, string>();
  if (json) formats.set("json", "--json");
  for (const name of outputFormats) if (values[name] === true) formats.set(name, `--${name}`);
  const { format } = values;
  if (format !== undefined && !formats.has(format)) formats.set(format, `--format ${format}`);
  const [first, second] = [...formats.values()];
  if (second)
    throw invalid(`${first} and ${second} cannot be combined.`, ["Choose one output format."]);
  if (values.port !== undefined && values.mode !== "server") {
    throw invalid("--port needs --mode server.", ["Add --mode server, or remove --port."]);
  }
  const isNullTerminated = values.null === true;
  if (isNullTerminated) {
    const [given] = formats.keys();
    if (given !== undefined && given !== "files" && given !== "paths") {
      throw invalid(`--null and ${first} cannot be combined.`, ["Choose one output format."]);
    }
    formats.clear();
    formats.set("paths", "--paths");
  }
  const [chosen = "text"] = formats.keys();
  return {
    // Each name comes from the list of formats, or the parser has checked it against that list.
    format: chosen as OutputFormat,
    server: values.mode === "server" ? Number(values.port ?? defaultPort) : undefined,
    fullPath: values.fullPath === true,
    isNullTerminated,
    open: values.open === true,
  };
}

/** Why a command may lack this result flag; undefined for any other flag. */
export const unsupportedFlagHint = (name: string): string | undefined => flagHints.get(name);

const noTable = "Its result is not a table: try --json.";
const noServer = "This command cannot run on a server.";
const noDocuments = "Its result names no documents.";
const noFiles = "Its result has no file names: try --json, --csv or --md.";

const flagHints = new Map([
  ["format", noTable],
  ["csv", noTable],
  ["md", noTable],
  ["xml", noTable],
  ["files", noFiles],
  ...documentFlags.map((name) => [name, noDocuments] as const),
  ["mode", noServer],
  ["port", noServer],
]);
