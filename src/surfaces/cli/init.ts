import { accessSync, constants, readFileSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import { Failure } from "../../kernel/failure.ts";
import { settledPath } from "../../kernel/project-folder.ts";
import { inDirectory, openDirectory } from "../../kernel/safe-directory.ts";
import { homeVariables } from "../../kernel/settings.ts";
import { temporaryName } from "../../kernel/temporary-name.ts";
import { isObject } from "../../text/json-value.ts";
import { printJson } from "./answer.ts";
import type { CommandContext } from "./command.ts";
import { lastingWords } from "./typed-words.ts";

interface InitFlags {
  http: boolean;
  port: number;
  force: boolean;
  dryRun: boolean;
}

/** Many agents read `.mcp.json` in the folder they work in; other servers' entries are theirs. */
export const mcpFileName = ".mcp.json";

/** Puts one entry into the folder's `.mcp.json` and leaves every other as it is. */
export async function introduce(flags: InitFlags, context: CommandContext): Promise<number> {
  const { program, out, globals, cwd } = context;
  const path = join(cwd, mcpFileName);
  const before = readWhole(path);
  const file = parse(before);
  const servers = serversOf(file);
  const entry = flags.http ? httpEntry(flags.port) : commandEntry(context);
  const present = Object.hasOwn(servers, program) ? servers[program] : undefined;
  const isSame = JSON.stringify(present) === JSON.stringify(entry);
  if (present !== undefined && !isSame && !flags.force) {
    throw new Failure("conflict", "conflict", `${mcpFileName} has another entry '${program}'.`, {
      hints: [
        `It says ${JSON.stringify(present)}`,
        `and would say ${JSON.stringify(entry)}`,
        "Give --force to replace it.",
      ],
    });
  }
  servers[program] = entry;
  if (!isSame && !flags.dryRun) writeWhole(path, format(file, before));
  const did = isSame ? "kept" : present === undefined ? "added" : "replaced";
  if (globals.json) {
    await printJson(
      { file: mcpFileName, entry: program, did, written: !isSame && !flags.dryRun, says: entry },
      out,
    );
    return 0;
  }
  const verb = flags.dryRun && !isSame ? `would be ${did}` : did;
  await out.writeForeign(`'${program}' ${verb} in ${mcpFileName}: ${JSON.stringify(entry)}\n`);
  return 0;
}

type JsonObject = Record<string, unknown>;

function readWhole(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw new Failure("unavailable", "unreadable", `${mcpFileName} cannot be read.`, {
      hints: ["Look at its permissions."],
      cause: error,
    });
  }
}

function parse(text: string | undefined): JsonObject {
  if (text === undefined || text.trim() === "") return {};
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    const where = error instanceof Error ? error.message.replace(/\s+/g, " ") : "";
    throw untouched(`${mcpFileName} is not valid JSON: ${where}`);
  }
  if (!isObject(value)) throw untouched(`${mcpFileName} holds no object.`);
  return value;
}

function serversOf(file: JsonObject): JsonObject {
  const servers = Object.hasOwn(file, "mcpServers") ? file.mcpServers : {};
  if (!isObject(servers)) throw untouched(`'mcpServers' of ${mcpFileName} is no object.`);
  file.mcpServers = servers;
  return servers;
}

const untouched = (message: string): Failure =>
  new Failure("conflict", "conflict", message, {
    hints: ["It was left untouched. Mend it and run this again."],
  });

const httpEntry = (port: number): JsonObject => ({
  type: "http",
  url: `http://127.0.0.1:${port}/mcp`,
});

/**
 * The bare name where the shell would find it; else this very installation, which always works
 * here. A package runner is never named: it might fetch a stranger of the same name. An agent has
 * an environment of its own, so what chose the home here is told with it.
 */
function commandEntry({ program, script, globals, env }: CommandContext): JsonObject {
  const args = ["mcp", ...lastingWords(globals)];
  const home = homeVariables(env);
  const told = Object.keys(home).length > 0 ? { env: home } : {};
  if (script === undefined || isOnPath(program, env)) return { command: program, args, ...told };
  return { command: process.execPath, args: [script, ...args], ...told };
}

/**
 * Whether a shell would find a program by its bare name. A package runner puts its own folder in
 * front for the processes it starts; no other shell has it.
 */
export function isOnPath(program: string, env: CommandContext["env"]): boolean {
  const endings = process.platform === "win32" ? [".cmd", ".exe"] : [""];
  const folders = (env.PATH ?? env.Path ?? "").split(delimiter).filter(Boolean);
  const lasting = folders.filter((folder) => !/\bnode_modules[\\/]\.bin[\\/]*$/.test(folder));
  return lasting.some((folder) =>
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

/** Indented as the file was, by two spaces where it is new. */
function format(file: JsonObject, before: string | undefined): string {
  const indent = before?.match(/\n([ \t]+)\S/)?.[1] ?? "  ";
  const lineEnd = before?.includes("\r\n") ? "\r\n" : "\n";
  const text = JSON.stringify(file, null, indent).replaceAll("\n", lineEnd);
  const endsBare = before !== undefined && before.trim() !== "" && !/\n\s*$/.test(before);
  return endsBare ? text : text + lineEnd;
}

/** Whole or not at all: a reader never finds half a file. A link stays a link, wherever it leads. */
function writeWhole(path: string, text: string): void {
  const target = settledPath(path);
  const fresh = temporaryName();
  try {
    inDirectory(openDirectory(dirname(target)), (directory) => {
      try {
        // Entries may hold tokens: who could not read the file before cannot read it now.
        directory.write(fresh, text, (directory.stat(basename(target))?.mode ?? 0o666) & 0o777);
        directory.rename(fresh, basename(target));
      } finally {
        directory.remove(fresh);
      }
    });
  } catch (error) {
    throw new Failure("unavailable", "unwritable", `${mcpFileName} cannot be written.`, {
      hints: ["Look at the permissions of the folder."],
      cause: error,
    });
  }
}
