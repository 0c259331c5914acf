import { accessSync, constants, readFileSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import { Failure } from "../../kernel/failure.ts";
import { openDirectory, withDirectory } from "../../kernel/files/safe-directory.ts";
import { temporaryName } from "../../kernel/files/temporary-name.ts";
import { homeVariables } from "../../kernel/home/settings.ts";
import { resolveAllowingMissing } from "../../kernel/paths/project-folder.ts";
import { isJsonObject } from "../../text/formats/json-value.ts";
import { serverFlagWords } from "./arguments/shell-words.ts";
import type { CommandContext } from "./command.ts";
import { offerCollection } from "./init-collection.ts";
import { shelvesFor } from "./init-shelves.ts";
import { printJson } from "./output/result-output.ts";

interface InitFlags {
  http: boolean;
  port: number;
  force: boolean;
  dryRun: boolean;
  yes: boolean;
}

/** The file in which many agents look for the MCP servers of their working folder. */
export const mcpFileName = ".mcp.json";

/**
 * Adds or replaces this program's entry in the folder's `.mcp.json`; other entries are unchanged.
 * Then offers to index the folder.
 */
export async function addMcpEntry(flags: InitFlags, context: CommandContext): Promise<number> {
  const { program, out, globals, cwd } = context;
  const path = join(cwd, mcpFileName);
  const before = readMcpFile(path);
  const file = parseMcpFile(before);
  const servers = serversOf(file);
  const shelves = flags.http ? undefined : chosenShelves(context);
  const entry = flags.http ? httpEntry(flags.port) : commandEntry(context, shelves);
  const present = Object.hasOwn(servers, program) ? servers[program] : undefined;
  const isSame = JSON.stringify(present) === JSON.stringify(entry);
  if (present !== undefined && !isSame && !flags.force) {
    throw new Failure(
      "conflict",
      "conflict",
      `${mcpFileName} already has a different entry '${program}'.`,
      {
        hints: [
          `Existing entry: ${JSON.stringify(present)}`,
          `New entry: ${JSON.stringify(entry)}`,
          "Add --force to replace it.",
        ],
      },
    );
  }
  servers[program] = entry;
  if (!isSame && !flags.dryRun) writeMcpFile(path, formatMcpFile(file, before));
  const did = isSame ? "kept" : present === undefined ? "added" : "replaced";
  const isWritten = !isSame && !flags.dryRun;
  if (globals.json) {
    const { collection } = await offerCollection(flags, context);
    const indexed = collection === undefined ? {} : { collection };
    await printJson(
      { file: mcpFileName, entry: program, did, written: isWritten, says: entry, ...indexed },
      out,
    );
    return 0;
  }
  const verb = flags.dryRun && !isSame ? `would be ${did}` : did;
  await out.writeSanitized(`'${program}' ${verb} in ${mcpFileName}: ${JSON.stringify(entry)}\n`);
  if (shelves) {
    const names = shelves.join(", ");
    await out.writeSanitized(`Agents get the tools of: ${names}. Choose others with --shelves.\n`);
  }
  const { message } = await offerCollection(flags, context);
  if (message !== undefined) await out.writeSanitized(`${message}\n`);
  return 0;
}

type JsonObject = Record<string, unknown>;

function readMcpFile(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw new Failure("unavailable", "unreadable", `${mcpFileName} cannot be read.`, {
      hints: ["Check its permissions."],
      cause: error,
    });
  }
}

function parseMcpFile(text: string | undefined): JsonObject {
  if (text === undefined || text.trim() === "") return {};
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    const where = error instanceof Error ? error.message.replace(/\s+/g, " ") : "";
    throw unchangedFailure(`${mcpFileName} is not valid JSON: ${where}`);
  }
  if (!isJsonObject(value)) throw unchangedFailure(`${mcpFileName} is not a JSON object.`);
  return value;
}

function serversOf(file: JsonObject): JsonObject {
  const servers = Object.hasOwn(file, "mcpServers") ? file.mcpServers : {};
  if (!isJsonObject(servers))
    throw unchangedFailure(`'mcpServers' in ${mcpFileName} is not an object.`);
  file.mcpServers = servers;
  return servers;
}

const unchangedFailure = (message: string): Failure =>
  new Failure("conflict", "conflict", message, {
    hints: ["The file was not changed. Correct it and try again."],
  });

const httpEntry = (port: number): JsonObject => ({
  type: "http",
  url: `http://127.0.0.1:${port}/mcp`,
});

/** Undefined if the user chose them, or the name of the program does. */
const chosenShelves = ({ program, globals, cwd }: CommandContext): string[] | undefined =>
  program === "lectern" && globals.shelves === undefined ? shelvesFor(cwd) : undefined;

/**
 * Uses the program's bare name if it is on PATH, otherwise the absolute path of this installation.
 * A package runner such as npx is never used: it could download another package of that name.
 * Agents have their own environment, so the entry includes the variables that select the home.
 */
function commandEntry(
  { program, script, globals, env }: CommandContext,
  shelves: readonly string[] | undefined,
): JsonObject {
  const args = [
    "mcp",
    ...serverFlagWords({ ...globals, ...(shelves && { shelves: shelves.join() }) }),
  ];
  const home = homeVariables(env);
  const environment = Object.keys(home).length > 0 ? { env: home } : {};
  if (script === undefined || isOnPath(program, env))
    return { command: program, args, ...environment };
  return { command: process.execPath, args: [script, ...args], ...environment };
}

/**
 * Whether a shell finds a program by its bare name. Folders that a package runner adds to PATH are
 * ignored: other shells do not have them.
 */
export function isOnPath(program: string, env: CommandContext["env"]): boolean {
  const endings = process.platform === "win32" ? [".cmd", ".exe"] : [""];
  const folders = (env.PATH ?? env.Path ?? "").split(delimiter).filter(Boolean);
  const permanent = folders.filter((folder) => !/\bnode_modules[\\/]\.bin[\\/]*$/.test(folder));
  return permanent.some((folder) =>
    endings.some((ending) => {
      try {
        accessSync(join(folder, program + ending), constants.X_OK);
        return true;
      } catch {
        return false;
      }
    }),
  );
}

/** Keeps the file's indentation and line ends; a new file is indented by two spaces. */
function formatMcpFile(file: JsonObject, before: string | undefined): string {
  const indent = before?.match(/\n([ \t]+)\S/)?.[1] ?? "  ";
  const lineEnd = before?.includes("\r\n") ? "\r\n" : "\n";
  const text = JSON.stringify(file, null, indent).replaceAll("\n", lineEnd);
  const endsBare = before !== undefined && before.trim() !== "" && !/\n\s*$/.test(before);
  return endsBare ? text : text + lineEnd;
}

/** Writes atomically through a temporary file. A symbolic link is followed, not replaced. */
function writeMcpFile(path: string, text: string): void {
  const target = resolveAllowingMissing(path);
  const temporary = temporaryName();
  try {
    withDirectory(openDirectory(dirname(target)), (directory) => {
      try {
        // Entries may hold tokens, so the new file keeps the permissions of the old one.
        directory.write(temporary, text, (directory.stat(basename(target))?.mode ?? 0o666) & 0o777);
        directory.rename(temporary, basename(target));
      } finally {
        directory.remove(temporary);
      }
    });
  } catch (error) {
    throw new Failure("unavailable", "unwritable", `${mcpFileName} cannot be written.`, {
      hints: ["Check the permissions of the folder."],
      cause: error,
    });
  }
}
