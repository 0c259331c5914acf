import * as z from "zod";
import { logLevels } from "../../kernel/log.ts";
import { resourceErrors } from "../../kernel/settings.ts";
import { flagsOf } from "./flag.ts";

/** What every command takes, before or behind its name. */
const globalSchema = z.object({
  root: z
    .string()
    .optional()
    .describe("Folder that relative paths start from; the current one where absent"),
  forceRoot: z.string().optional().describe("Read and write nothing outside of this folder"),
  shelves: z.string().optional().describe("Use only these shelves, by comma"),
  readOnly: z.boolean().default(false).describe("Refuse everything that writes"),
  listDocuments: z
    .boolean()
    .default(false)
    .describe("Name every document in the list of MCP resources"),
  resourceErrors: z
    .enum(resourceErrors)
    .default("protocol")
    .describe("How an MCP resource fails: as an error, or as data in its contents"),
  logLevel: z
    .enum([...logLevels, "warning"])
    .optional()
    .describe("Least level of what is logged on stderr"),
  json: z.boolean().default(false).describe("Print the answer as JSON"),
  color: z.boolean().optional().describe("Colour, or none; only on a terminal where not said"),
  help: z.boolean().default(false).describe("Explain the command").meta({ short: "h" }),
  version: z.boolean().default(false).describe("Print the version").meta({ short: "v" }),
});

export type GlobalFlags = z.output<typeof globalSchema>;

export const globalFlags = flagsOf(globalSchema);

/** Fills in what was not said; parsing the schema whole would cost each command milliseconds. */
export function readGlobals(values: Readonly<Record<string, unknown>>): GlobalFlags {
  const filled = globalFlags.map(({ key, fallback }) => [key, values[key] ?? fallback]);
  // Each value was checked by its own schema when it was read.
  return Object.fromEntries(filled) as GlobalFlags;
}
