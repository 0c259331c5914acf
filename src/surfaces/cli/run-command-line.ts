import { resolve } from "node:path";
import * as z from "zod";
import type { CallOptions } from "../../kernel/call.ts";
import { Failure, invalid } from "../../kernel/failure.ts";
import { readSettings, type Settings } from "../../kernel/home/settings.ts";
import {
  type Catalogue,
  type CatalogueEntry,
  createCatalogue,
} from "../../kernel/operations/catalogue.ts";
import type { App, Identity } from "../../kernel/runtime/app.ts";
import type { AnyShelf } from "../../kernel/shelf.ts";
import { type ParsedArguments, parseArguments } from "./arguments/argument-parser.ts";
import { builtInCommands } from "./built-in-commands.ts";
import {
  type Command,
  type CommandContext,
  createCommands,
  type ProgramCommand,
} from "./command.ts";
import type { Confirm } from "./confirm.ts";
import { exitCodes } from "./exit-codes.ts";
import { callInProcess, type OperationCaller, runOperation } from "./operation-command.ts";
import type { CollectionFolders } from "./output/document-paths.ts";
import { printFailure } from "./output/result-output.ts";
import {
  OutputClosed,
  type OutputStream,
  openTextOutput,
  type TextOutput,
} from "./output/text-output.ts";
import {
  identityOfProgram,
  nameProgram,
  type ProgramName,
  shelvesOfProgram,
  versionOfProgram,
} from "./program-identity.ts";

export interface CommandLine {
  /** The arguments after the program's name. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Asks the user a question; undefined if no user is at a terminal. */
  readonly confirm?: Confirm | undefined;
  /** The name the program was started by. */
  readonly program: ProgramName;
  /** Lectern's own version. */
  readonly version: string;
  /** The script that Node was started with; `init` writes it if the program is not on PATH. */
  readonly script?: string;
  readonly shelves: readonly AnyShelf[];
  /** Cancels the command; without it, Ctrl+C at this process does. */
  readonly interruption?: AbortSignal;
  /**
   * Whether the command was started in another process, and so possibly in another folder. It then
   * uses the app of this process, which stays open.
   */
  readonly isForwarded?: boolean;
  /** Commands besides the operations and the built-in commands of this surface. */
  readonly commands: readonly ProgramCommand[];
  readonly openApp: (
    settings: Settings,
    identity: Identity,
    options: { isServing: boolean },
  ) => App;
  /** Executes an operation on a running server, for `--mode server`. */
  readonly callServer?: (
    entry: CatalogueEntry,
    input: Record<string, unknown>,
    server: ServerTarget,
    options: CallOptions,
  ) => ReturnType<App["call"]>;
}

/** The server to call, and what an error message about it needs. */
export interface ServerTarget {
  readonly port: number;
  readonly env: CommandLine["env"];
  readonly program: string;
  /** The settings of this process; the secret in its home may authorize the call. */
  readonly settings: Settings;
}

/**
 * Runs a command line and returns its exit code. All output has been written when it returns, so
 * the process may exit immediately.
 */
export async function runCommandLine(line: CommandLine): Promise<number> {
  // Colour and JSON also apply to errors of the argument parser, so they are read first.
  const flags = line.argv.slice(0, line.argv.includes("--") ? line.argv.indexOf("--") : undefined);
  const colour = flags.includes("--no-color") ? false : flags.includes("--color") || undefined;
  const json = flags.some(
    (flag, at) =>
      /^--(json(=true)?|format=json)$/.test(flag) ||
      (flag === "json" && flags[at - 1] === "--format"),
  );
  const out = await openTextOutput(line.stdout, line.env, colour);
  const err = await openTextOutput(line.stderr, line.env, colour);
  let app: App | undefined;
  try {
    return await run(line, out, err, (settings, options) => {
      app ??= line.openApp(
        settings,
        identityOfProgram(line.program, line.version, settings.shelves),
        options,
      );
      return app;
    });
  } catch (error) {
    if (error instanceof OutputClosed) return 0;
    const failure = nameProgramIn(toFailure(error), line.program);
    // If stderr is closed too, only the exit code reports the failure.
    await printFailure(failure, { json, out, err }).catch(() => {});
    if (failure.cause instanceof Error && line.env.DEBUG) {
      await err.write(`${err.sanitize(failure.cause.stack ?? "")}\n`).catch(() => {});
    }
    return exitCodes[failure.kind];
  } finally {
    // A forwarded command uses the app of the process that runs it.
    if (!line.isForwarded) await app?.close();
  }
}

async function run(
  line: CommandLine,
  out: TextOutput,
  err: TextOutput,
  openOnce: (settings: Settings, options: { isServing: boolean }) => App,
): Promise<number> {
  const { program, env, cwd, shelves } = line;
  const version = versionOfProgram(program, line.version);
  const programCommands = [...line.commands, ...builtInCommands];
  const everything = createCatalogue(shelves);
  const known = (catalogue: Catalogue): readonly Command[] =>
    createCommands(catalogue, programCommands, program === "qmdc");
  const typed = parseArguments(line.argv, known(everything), program);
  const { globals, command } = typed;
  if (globals.version) {
    await out.write(`${program} ${version}\n`);
    return 0;
  }
  const settings = readSettings(
    { ...globals, shelves: globals.shelves ?? shelvesOfProgram(program, shelves)?.join(",") },
    env,
    cwd,
  );
  const { shelves: chosen, readOnly } = settings;
  const catalogue =
    chosen || readOnly ? createCatalogue(shelves, { only: chosen, readOnly }) : everything;
  const context: CommandContext = {
    program,
    version,
    script: line.script,
    settings,
    env,
    cwd,
    out,
    err,
    confirm: line.confirm,
    shelves,
    // Computed on demand: only help, completion and the man page read it.
    get commands() {
      return known(catalogue);
    },
    globals,
    openApp: (other = settings) => openOnce(other, { isServing: true }),
  };
  // The original qmdc prints its version when it is run without arguments.
  if (program === "qmdc" && line.argv.length === 0) {
    await out.write(`${program} ${version}\n`);
    return 0;
  }
  if (globals.help || typed.path.length === 0) return showHelp(typed, context);
  if (!command) throw incompleteCommand(typed, context);
  const input = withShellDefaults(command, typed.input, settings.root);
  if ("run" in command.target) return command.target.run(command.input.parse(input), context);
  const entry = catalogue.find(command.target.operation.name);
  if (!entry) throw notInUse(command, context);
  const { resultOptions } = typed;
  const { server } = resultOptions;
  const runsElsewhere = server !== undefined || line.isForwarded === true;
  const callInput = runsElsewhere ? withAbsolutePaths(command, input, settings) : input;
  const getApp = () => openOnce(settings, { isServing: false });
  const callOperation =
    server === undefined
      ? callInProcess(getApp(), entry, callInput)
      : callRunningServer(line, entry, callInput, settings, server);
  return runOperation(entry.operation, callOperation, {
    resultOptions,
    logLevel: settings.logLevel,
    env,
    out,
    err,
    program,
    interruption: line.interruption,
    async readCollectionFolders() {
      const list = everything.find("list_collections");
      if (!list) return new Map();
      const options = { actor: { surface: "cli" } };
      const outcome =
        server === undefined
          ? await getApp().call(list, {}, options)
          : await callRunningServer(line, list, {}, settings, server)(options);
      return foldersIn(outcome.ok ? outcome.value.collections : []);
    },
  });
}

/** The folders in the output of `list_collections`. */
function foldersIn(collections: unknown): CollectionFolders {
  const schema = z.array(z.object({ name: z.string(), path: z.string() }));
  return new Map(schema.parse(collections).map(({ name, path }) => [name, path]));
}

function withShellDefaults(command: Command, typed: Record<string, unknown>, root: string) {
  const input = { ...typed };
  for (const { key, shellDefault } of [...command.positionals, ...command.flags]) {
    if (shellDefault && input[key] === undefined) input[key] = shellDefault.default(input, root);
  }
  return input;
}

/** Another process has another current folder, so relative paths are resolved here. */
function withAbsolutePaths(
  command: Command,
  typed: Record<string, unknown>,
  { root }: Settings,
): Record<string, unknown> {
  const input = { ...typed };
  for (const { key, isPath } of [...command.positionals, ...command.flags]) {
    const path = input[key];
    if (isPath && typeof path === "string") input[key] = resolve(root, path);
  }
  return input;
}

function callRunningServer(
  line: CommandLine,
  entry: CatalogueEntry,
  input: Record<string, unknown>,
  settings: Settings,
  port: number,
): OperationCaller {
  if (settings.forceRoot !== undefined) {
    throw invalid("--force-root has no effect with --mode server.", [
      "Start the server with --force-root, or leave out --mode server.",
    ]);
  }
  const { callServer: ask, env, program } = line;
  if (!ask) throw invalid("This program does not support --mode server.");
  return (options) => ask(entry, input, { port, env, program, settings }, options);
}

async function showHelp({ path }: ParsedArguments, context: CommandContext): Promise<number> {
  if (path.length === 0 && !context.globals.help) {
    const { startPage } = await import("./help/start-page.ts");
    await context.out.write(startPage(context));
    return 0;
  }
  const { helpPage } = await import("./help/help.ts");
  await context.out.write(helpPage(path, context));
  return 0;
}

function incompleteCommand(
  { path }: ParsedArguments,
  { commands, program }: CommandContext,
): Failure {
  const family = path.join(" ");
  const members = commands.filter(({ words }) => words.join(" ").startsWith(`${family} `));
  return invalid(`'${family}' needs a subcommand.`, [
    ...members.map(({ words }) => `${program} ${words.join(" ")}`),
    `See '${program} help ${family}'.`,
  ]);
}

/** The command exists, but --shelves or --read-only disables it. */
function notInUse(command: Command, { program, settings }: CommandContext): Failure {
  const name = command.words.join(" ");
  const shelf = command.group;
  if (settings.readOnly && (!settings.shelves || settings.shelves.includes(shelf))) {
    return new Failure("forbidden", "read-only", `'${name}' writes, and --read-only is on.`, {
      hints: ["Run it without --read-only."],
    });
  }
  return invalid(`'${name}' belongs to the shelf '${shelf}', which is not enabled.`, [
    program === "lectern"
      ? `Enabled shelves: ${settings.shelves?.join(", ")}.`
      : `Run 'lectern ${name}', or add --shelves ${shelf}.`,
  ]);
}

function nameProgramIn(failure: Failure, program: string): Failure {
  const { kind, code, message, hints, cause, details } = failure;
  const named = nameProgram(message, program);
  if (named === message) return failure;
  return new Failure(kind, code, named, { hints, cause, ...(details && { details }) });
}

function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
  return new Failure("internal", "internal-error", `Internal error${code}`, { cause: error });
}
