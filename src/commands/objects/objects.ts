import * as z from "zod";
import { type ProgramCommand, programCommand } from "../../surfaces/cli/command.ts";

const inputFile = z
  .string()
  .optional()
  .describe("Read this file instead of standard input")
  .meta({ short: "i" });
const outputFile = z
  .string()
  .optional()
  .describe("Write this file instead of standard output")
  .meta({ short: "o" });
const format = z
  .enum(["minimal", "standard", "full"])
  .default("standard")
  .describe("Level of detail of each object")
  .meta({ short: "f" });
const workspace = z.string().min(1).describe("A folder or file of the workspace");

/**
 * Commands for files of typed objects that need no index. They are top-level commands of `qmdc` and
 * subcommands of `lectern objects`.
 */
export function objectCommands(prefix: "" | "objects "): ProgramCommand[] {
  const group = "objects";
  return [
    programCommand({
      cli: `${prefix}parse`,
      group,
      summary: "Convert a file of typed objects to JSON.",
      input: z.object({
        input: inputFile,
        output: outputFile,
        format,
        comments: z.boolean().default(true).describe("Include comments between the fields"),
        syntax: z.boolean().default(true).describe("Include the original syntax of each field"),
        pretty: z.boolean().default(true).describe("Indent the JSON"),
        batch: z
          .boolean()
          .default(false)
          .describe('Read {"input": text} from each line and write one line for each'),
      }),
      run: async (input, context) => (await import("./texts.ts")).parseText(input, context),
    }),
    programCommand({
      cli: `${prefix}rebuild`,
      group,
      summary: "Convert JSON back to a file of typed objects.",
      input: z.object({
        input: inputFile,
        output: outputFile,
        batch: z
          .boolean()
          .default(false)
          .describe('Read {"input": [objects]} from each line and write one line for each'),
      }),
      run: async (input, context) => (await import("./texts.ts")).rebuildText(input, context),
    }),
    programCommand({
      cli: `${prefix}workspace parse <path>`,
      group,
      summary: "Print all objects of a workspace as JSON.",
      input: z.object({ path: workspace, format, output: outputFile }),
      run: async (input, context) =>
        (await import("./workspaces.ts")).parseWorkspace(input, context),
    }),
    programCommand({
      cli: `${prefix}workspace validate <path>`,
      group,
      summary: "Print the problems of a workspace as JSON; exits with 1 if there are any.",
      input: z.object({ path: workspace }),
      run: async (input, context) =>
        (await import("./workspaces.ts")).validateWorkspace(input, context),
    }),
    programCommand({
      cli: `${prefix}workspace files <path>`,
      group,
      summary: "Print the files of a workspace, one per line.",
      input: z.object({ path: workspace }),
      run: async (input, context) =>
        (await import("./workspaces.ts")).listFilesCommand(input, context),
    }),
    programCommand({
      cli: `${prefix}lint [path]`,
      group,
      summary: "Print problems as file:line: code message; exits with 1 if there are any.",
      input: z.object({ path: workspace.default(".") }),
      run: async (input, context) => (await import("./workspaces.ts")).lintCommand(input, context),
    }),
    programCommand({
      cli: `${prefix}query <workspace> <sql>`,
      group,
      summary: "Run a read-only SQL statement, a stored Query by #id, or .tables, .schema, .help.",
      input: z.object({
        workspace,
        sql: z.string().describe("The SQL statement"),
        language: z
          .enum(["sql"])
          .default("sql")
          .describe("The query language")
          .meta({ short: "l" }),
        format: z
          .enum(["table", "json"])
          .default("table")
          .describe("Output format")
          .meta({ short: "f" }),
      }),
      run: async (input, context) => (await import("./query.ts")).runQuery(input, context),
    }),
  ];
}
