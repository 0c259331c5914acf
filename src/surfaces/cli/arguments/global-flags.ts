import * as z from "zod";
import { resourceErrors } from "../../../kernel/home/settings.ts";
import { logLevels } from "../../../kernel/runtime/log.ts";
import { flagsOf } from "./flag.ts";

/** The flags of every command, before or after its name. */
const globalSchema = z.object({
  root: z
    .string()
    .optional()
    .describe("Folder that relative paths start from (default: the current folder)"),
  forceRoot: z.string().optional().describe("Restrict reading and writing to this folder"),
  shelves: z.string().optional().describe("Enable only these shelves, separated by commas"),
  readOnly: z.boolean().default(false).describe("Refuse all operations that write"),
  listDocuments: z
    .boolean()
    .default(false)
    .describe("Include every document in the list of MCP resources"),
  resourceErrors: z
    .enum(resourceErrors)
    .default("protocol")
    .describe("How to report errors of MCP resources: as a protocol error, or in the contents"),
  logLevel: z
    .enum([...logLevels, "warning"])
    .optional()
    .describe("Minimum level of the log on stderr"),
  json: z.boolean().default(false).describe("Print the result as JSON"),
  color: z.boolean().optional().describe("Use colour (default: only on a terminal)"),
  help: z.boolean().default(false).describe("Show help").meta({ short: "h" }),
  version: z.boolean().default(false).describe("Print the version").meta({ short: "v" }),
});

export type GlobalFlags = z.output<typeof globalSchema>;

export const globalFlags = flagsOf(globalSchema);

/** Adds defaults. Parsing with the whole schema would add milliseconds to every command. */
export function readGlobalFlags(values: Readonly<Record<string, unknown>>): GlobalFlags {
  const filled = globalFlags.map(({ key, defaultValue }) => [key, values[key] ?? defaultValue]);
  // The argument parser has checked each value with its own schema.
  return Object.fromEntries(filled) as GlobalFlags;
}
