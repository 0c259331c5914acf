import * as z from "zod";
import type { Entry } from "../../kernel/catalogue.ts";
import { invalid } from "../../kernel/failure.ts";
import { type Flag, flagsOf } from "./flag.ts";
import { namesFiles, tableOf } from "./table.ts";

/** How an answer may be printed. */
export type Format = (typeof formats)[number];

const formats = ["text", "json", "csv", "md", "xml", "files"] as const;

/** What was said about an answer: how it is printed, and who is asked for it. */
export interface Answering {
  readonly format: Format;
  /** The port of the server to ask; undefined where the documents are opened here. */
  readonly server: number | undefined;
}

/** Where a server listens if nobody says otherwise. */
export const usualPort = 18_765;

/** The flags that a command takes because it answers for an operation. */
export function answerFlagsOf({ operation }: Entry): Flag[] {
  const table = tableOf(operation);
  const isTable = table.columns.length > 0 || table.isOpen;
  const { http } = operation.expose;
  // A person decides at the shell or on the page; a server takes no decision from a program.
  const isServed = http !== undefined && operation.effect !== "decides";
  const has = (name: string) => {
    if (name === "mode" || name === "port") return isServed;
    return name === "files" ? isTable && namesFiles(table) : isTable;
  };
  const format = ["text", "json", ...formats.slice(2).filter(has)];
  return flagsOf(answerSchema(format)).filter(({ name }) => name === "format" || has(name));
}

/** All that some command takes, for the page that explains the program. */
export const everyAnswerFlag = (): Flag[] => flagsOf(answerSchema(formats));

/** Made late: most commands are typed without any of these. */
const answerSchema = (choices: readonly string[]) =>
  z.object({
    format: z.enum(choices).optional().describe("How the answer is printed"),
    csv: z.boolean().default(false).describe("Print it as CSV, a line for each row"),
    md: z.boolean().default(false).describe("Print it as Markdown"),
    xml: z.boolean().default(false).describe("Print it as XML"),
    files: z.boolean().default(false).describe("Print only which files, a line for each"),
    mode: z
      .enum(["local", "server"])
      .default("local")
      .describe("Open the documents here, or ask a running server"),
    port: z
      .int()
      .min(1)
      .max(65_535)
      .default(usualPort)
      .describe("The server's port, with --mode server"),
  });

/** Two formats at once have no meaning, and a port is of no use without a server. */
export function readAnswering(values: Readonly<Record<string, unknown>>, json: boolean): Answering {
  const asked = new Map<unknown, string>();
  if (json) asked.set("json", "--json");
  for (const name of formats) if (values[name] === true) asked.set(name, `--${name}`);
  const { format } = values;
  if (format !== undefined && !asked.has(format)) asked.set(format, `--format ${format}`);
  const [first, second] = [...asked.values()];
  if (second) throw invalid(`${first} and ${second} are two formats.`, ["Choose one of them."]);
  if (values.port !== undefined && values.mode !== "server") {
    throw invalid("--port names the server to ask.", ["Add --mode server, or leave it out."]);
  }
  const [chosen = "text"] = asked.keys();
  return {
    // Each name comes from the list of formats, or was compared with it when it was read.
    format: chosen as Format,
    server: values.mode === "server" ? Number(values.port ?? usualPort) : undefined,
  };
}

/** What to do instead, where a command lacks one of these flags; undefined for any other flag. */
export const insteadOf = (name: string): string | undefined => remedies.get(name);

const noTable = "What it answers is no table: try --json.";
const noServer = "It is done here and asks no server: leave it out.";
const noFiles = "What it answers are no files: try --json, --csv or --md.";

const remedies = new Map([
  ["format", noTable],
  ["csv", noTable],
  ["md", noTable],
  ["xml", noTable],
  ["files", noFiles],
  ["mode", noServer],
  ["port", noServer],
]);
