import { resolve } from "node:path";
import type { CallOptions } from "../../kernel/call.ts";
import { type Catalogue, type Entry, makeCatalogue } from "../../kernel/catalogue.ts";
import { Failure, invalid } from "../../kernel/failure.ts";
import type { Identity, Library } from "../../kernel/library.ts";
import { readSettings, type Settings } from "../../kernel/settings.ts";
import type { AnyShelf } from "../../kernel/shelf.ts";
import { printFailure } from "./answer.ts";
import { readArguments, type Typed } from "./arguments.ts";
import { type Command, type CommandContext, commandsOf, type ProgramCommand } from "./command.ts";
import { exitCodes } from "./exit-codes.ts";
import { identityOf, type ProgramName, shelvesOf, versionOf } from "./identity.ts";
import { type Asked, askLibrary, callOperation } from "./operation-call.ts";
import { ownCommands } from "./own-commands.ts";
import { type OutputStream, openScreen, ReaderGone, type Screen } from "./screen.ts";

export interface CommandLine {
  /** What was typed behind the program's name. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** The name the program was started by. */
  readonly program: ProgramName;
  /** Lectern's own version. */
  readonly version: string;
  /** The file that Node was started with, for `init` to name where the program is not installed. */
  readonly script?: string;
  readonly shelves: readonly AnyShelf[];
  /** What the program does beside its operations and what this surface brings itself. */
  readonly commands: readonly ProgramCommand[];
  readonly openLibrary: (
    settings: Settings,
    identity: Identity,
    options: { isServing: boolean },
  ) => Library;
  /** Has an operation done by a running server: what `--mode server` means, where it is given. */
  readonly askServer?: (
    entry: Entry,
    input: Record<string, unknown>,
    server: AskedServer,
    options: CallOptions,
  ) => ReturnType<Library["call"]>;
}

/** Which server, and what its absence is told with. */
export interface AskedServer {
  readonly port: number;
  readonly env: CommandLine["env"];
  readonly program: string;
  /** Our own home; its secret may open the server. */
  readonly settings: Settings;
}

/**
 * Does what was typed and gives the exit code. Everything has been written when it returns, so
 * the process may end at once.
 */
export async function runCommandLine(line: CommandLine): Promise<number> {
  // Colour and JSON are wanted even for a complaint about the other flags.
  const flags = line.argv.slice(0, line.argv.includes("--") ? line.argv.indexOf("--") : undefined);
  const colour = flags.includes("--no-color") ? false : flags.includes("--color") || undefined;
  const json = flags.some(
    (flag, at) =>
      /^--(json(=true)?|format=json)$/.test(flag) ||
      (flag === "json" && flags[at - 1] === "--format"),
  );
  const out = await openScreen(line.stdout, line.env, colour);
  const err = await openScreen(line.stderr, line.env, colour);
  let library: Library | undefined;
  try {
    return await run(line, out, err, (settings, options) => {
      library ??= line.openLibrary(
        settings,
        identityOf(line.program, line.version, settings.shelves),
        options,
      );
      return library;
    });
  } catch (error) {
    if (error instanceof ReaderGone) return 0;
    const failure = asFailure(error);
    // Whoever reads the complaint may be gone as well; the code still tells.
    await printFailure(failure, { json, out, err }).catch(() => {});
    if (failure.cause instanceof Error && line.env.DEBUG) {
      await err.writeForeign(`${failure.cause.stack}\n`).catch(() => {});
    }
    return exitCodes[failure.kind];
  } finally {
    await library?.close();
  }
}

async function run(
  line: CommandLine,
  out: Screen,
  err: Screen,
  openLibrary: (settings: Settings, options: { isServing: boolean }) => Library,
): Promise<number> {
  const { program, env, cwd, shelves } = line;
  const version = versionOf(program, line.version);
  const programCommands = [...line.commands, ...ownCommands];
  const everything = makeCatalogue(shelves);
  const known = (catalogue: Catalogue): readonly Command[] =>
    commandsOf(catalogue, programCommands, program === "qmdc");
  const typed = readArguments(line.argv, known(everything), program);
  const { globals, command } = typed;
  if (globals.version) {
    await out.write(`${program} ${version}\n`);
    return 0;
  }
  const settings = readSettings(
    { ...globals, shelves: globals.shelves ?? shelvesOf(program, shelves)?.join(",") },
    env,
    cwd,
  );
  const { shelves: chosen, readOnly } = settings;
  const catalogue =
    chosen || readOnly ? makeCatalogue(shelves, { only: chosen, readOnly }) : everything;
  const context: CommandContext = {
    program,
    version,
    script: line.script,
    settings,
    env,
    cwd,
    out,
    err,
    shelves,
    // Read late: only what explains the program asks for them.
    get commands() {
      return known(catalogue);
    },
    globals,
    library: (other = settings) => openLibrary(other, { isServing: true }),
  };
  // The founding program of this name answers so when it is asked nothing.
  if (program === "qmdc" && line.argv.length === 0) {
    await out.write(`${program} ${version}\n`);
    return 0;
  }
  if (globals.help || typed.path.length === 0) return showHelp(typed, context);
  if (!command) throw incomplete(typed, context);
  const input = withShellDefaults(command, typed.input, settings.root);
  if ("run" in command.does) return command.does.run(command.input.parse(input), context);
  const entry = catalogue.find(command.does.operation.name);
  if (!entry) throw notInUse(command, context);
  const { format, server } = typed.answering;
  const asked =
    server === undefined
      ? askLibrary(openLibrary(settings, { isServing: false }), entry, input)
      : askServer(line, entry, withWholePaths(command, input, settings), settings, server);
  return callOperation(entry.operation, asked, { format, logLevel: settings.logLevel, out, err });
}

function withShellDefaults(command: Command, typed: Record<string, unknown>, root: string) {
  const input = { ...typed };
  for (const { key, shell } of [...command.positionals, ...command.flags]) {
    if (shell && input[key] === undefined) input[key] = shell.default(input, root);
  }
  return input;
}

/** A server stands in another folder, so what starts from this one has to say so. */
function withWholePaths(
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

function askServer(
  line: CommandLine,
  entry: Entry,
  input: Record<string, unknown>,
  settings: Settings,
  port: number,
): Asked {
  if (settings.forceRoot !== undefined) {
    throw invalid("--force-root holds for documents that are opened here, not for a server's.", [
      "Start the server with --force-root, or leave out --mode server.",
    ]);
  }
  const { askServer: ask, env, program } = line;
  if (!ask) throw invalid("This program asks no server: leave out --mode server.");
  return (options) => ask(entry, input, { port, env, program, settings }, options);
}

async function showHelp({ path }: Typed, context: CommandContext): Promise<number> {
  const { helpPage } = await import("./help.ts");
  await context.out.write(helpPage(path, context));
  return 0;
}

function incomplete({ path }: Typed, { commands, program }: CommandContext): Failure {
  const family = path.join(" ");
  const kin = commands.filter(({ words }) => words.join(" ").startsWith(`${family} `));
  return invalid(`'${family}' needs one more word.`, [
    ...kin.map(({ words }) => `${program} ${words.join(" ")}`),
    `See '${program} help ${family}'.`,
  ]);
}

/** The command exists, yet the shelves or the mode that were asked for leave it out. */
function notInUse(command: Command, { program, settings }: CommandContext): Failure {
  const name = command.words.join(" ");
  const shelf = command.group;
  if (settings.readOnly && (!settings.shelves || settings.shelves.includes(shelf))) {
    return new Failure("forbidden", "read-only", `'${name}' writes, and --read-only is on.`, {
      hints: ["Leave it out to write."],
    });
  }
  return invalid(`'${name}' is a command of the shelf ${shelf}, which is not in use.`, [
    program === "lectern"
      ? `Shelves in use: ${settings.shelves?.join(", ")}.`
      : `Run 'lectern ${name}', or add --shelves ${shelf}.`,
  ]);
}

function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
  return new Failure("internal", "internal-error", `Internal error${code}`, { cause: error });
}
