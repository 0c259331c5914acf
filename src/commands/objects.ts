import * as z from "zod";
import { type ProgramCommand, programCommand } from "../surfaces/cli/command.ts";

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
  .describe("How much is told of each object")
  .meta({ short: "f" });
const workspace = z.string().min(1).describe("A folder or file of the workspace");

/**
 * What is done with files of typed objects without any index. `qmdc` has these as its own commands,
 * `lectern` below the word `objects`.
 */
export function objectCommands(prefix: "" | "objects "): ProgramCommand[] {
  const group = "objects";
  return [
    programCommand({
      cli: `${prefix}parse`,
      group,
      summary: "Turn a file of typed objects into JSON.",
      input: z.object({
        input: inputFile,
        output: outputFile,
        format,
        comments: z.boolean().default(true).describe("Tell what stands between the fields"),
        syntax: z.boolean().default(true).describe("Tell in which form a field was written"),
        pretty: z.boolean().default(true).describe("On many lines"),
        batch: z
          .boolean()
          .default(false)
          .describe('Read {"input": text} on each line, answer each with one line'),
      }),
      run: async (input, context) => (await import("./object-texts.ts")).parse(input, context),
    }),
    programCommand({
      cli: `${prefix}rebuild`,
      group,
      summary: "Turn JSON back into a file of typed objects.",
      input: z.object({
        input: inputFile,
        output: outputFile,
        batch: z
          .boolean()
          .default(false)
          .describe('Read {"input": [objects]} on each line, answer each with one line'),
      }),
      run: async (input, context) => (await import("./object-texts.ts")).rebuild(input, context),
    }),
    programCommand({
      cli: `${prefix}workspace parse <path>`,
      group,
      summary: "Print all objects of a workspace as JSON.",
      input: z.object({ path: workspace, format, output: outputFile }),
      run: async (input, context) =>
        (await import("./object-workspaces.ts")).parseWorkspace(input, context),
    }),
    programCommand({
      cli: `${prefix}workspace validate <path>`,
      group,
      summary: "Print what is wrong in a workspace as JSON; the exit code is 1 if anything is.",
      input: z.object({ path: workspace }),
      run: async (input, context) =>
        (await import("./object-workspaces.ts")).validateWorkspace(input, context),
    }),
    programCommand({
      cli: `${prefix}workspace files <path>`,
      group,
      summary: "Print the files of a workspace, a line each.",
      input: z.object({ path: workspace }),
      run: async (input, context) =>
        (await import("./object-workspaces.ts")).listFiles(input, context),
    }),
    programCommand({
      cli: `${prefix}lint [path]`,
      group,
      summary:
        "Print what is wrong, as file:line: code message; the exit code is 1 if anything is.",
      input: z.object({ path: workspace.default(".") }),
      run: async (input, context) => (await import("./object-workspaces.ts")).lint(input, context),
    }),
    programCommand({
      cli: `${prefix}query <workspace> <sql>`,
      group,
      summary: "Run a reading SQL statement, #id of a stored Query, or .tables, .schema, .help.",
      input: z.object({
        workspace,
        sql: z.string().describe("The statement"),
        language: z.enum(["sql"]).default("sql").describe("Its language").meta({ short: "l" }),
        format: z
          .enum(["table", "json"])
          .default("table")
          .describe("How rows are printed")
          .meta({ short: "f" }),
      }),
      run: async (input, context) => (await import("./object-query.ts")).query(input, context),
    }),
  ];
}
