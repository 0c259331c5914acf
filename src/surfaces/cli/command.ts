import type * as z from "zod";
import type { Settings } from "../../kernel/home/settings.ts";
import {
  type Catalogue,
  type CatalogueEntry,
  commandName,
} from "../../kernel/operations/catalogue.ts";
import type { App } from "../../kernel/runtime/app.ts";
import type { AnyShelf } from "../../kernel/shelf.ts";
import { type Flag, flagsOf } from "./arguments/flag.ts";
import type { GlobalFlags } from "./arguments/global-flags.ts";
import { resultFlagsOf } from "./arguments/result-flags.ts";
import type { Confirm } from "./confirm.ts";
import type { TextOutput } from "./output/text-output.ts";

/**
 * A command that is not an operation, such as `serve`, `doctor` and `help`.
 * `cli` and `input` have the same syntax as in an operation.
 */
export interface ProgramCommand<Input extends z.ZodObject = z.ZodObject> {
  /** `"completion <shell>"`: the command's name, then positionals named by keys of the schema. */
  readonly cli: string;
  readonly summary: string;
  /** The heading under which help lists it. */
  readonly group: string;
  readonly input: Input;
  /** True for a command that runs but is left out of help, completion and the man page. */
  readonly hidden?: true;
  run(input: z.output<Input>, context: CommandContext): Promise<number> | number;
}

/** Infers the type of `run`'s input from the schema. */
export const programCommand = <Input extends z.ZodObject>(
  command: ProgramCommand<Input>,
): ProgramCommand =>
  // The only caller parses with `input` before it calls `run`, so erasing the type is sound.
  command as unknown as ProgramCommand;

export interface CommandContext {
  /** The name the program was started by. */
  readonly program: string;
  /** The version that `--version` prints. */
  readonly version: string;
  /** The script that Node was started with, if known. */
  readonly script: string | undefined;
  readonly settings: Settings;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly out: TextOutput;
  readonly err: TextOutput;
  /** Asks the user a question; undefined if no user is at a terminal. */
  readonly confirm: Confirm | undefined;
  /** All shelves, even those not in use: a store has the tables of every shelf. */
  readonly shelves: readonly AnyShelf[];
  /** The commands of the shelves in use. */
  readonly commands: readonly Command[];
  /** The values of the global flags. */
  readonly globals: GlobalFlags;
  /**
   * Opens the app for a process that keeps running. The first call opens it, optionally with other
   * settings; it is closed when the command ends.
   */
  openApp(settings?: Settings): App;
}

/** An entry of the command table that drives parsing, help, completion and the man page. */
export interface Command {
  /** The words of its name. */
  readonly words: readonly string[];
  /** Its name and its aliases: `"remove|rm"` is one word with two spellings, the first the name. */
  readonly spellings: readonly (readonly string[])[];
  readonly group: string;
  readonly summary: string;
  readonly positionals: readonly Positional[];
  /** The keys of the schema that are not positionals. Computed on first use. */
  readonly flags: readonly Flag[];
  /** The flags of an operation's result: its output format, and the server to call. */
  readonly resultFlags: readonly Flag[];
  readonly input: z.ZodObject;
  readonly example: Readonly<Record<string, unknown>> | undefined;
  readonly hidden: boolean;
  readonly target: CatalogueEntry | ProgramCommand;
}

export interface Positional extends Flag {
  /** Takes all remaining words: as a list if the schema has one, otherwise joined by spaces. */
  readonly rest: boolean;
}

export const fullCommandName = (command: Command): string => joinWords(command.words);

/** Whether these words are one of the command's spellings. */
export const isSpellingOf = (command: Command, words: readonly string[]): boolean =>
  command.spellings.some((spelling) => joinWords(spelling) === joinWords(words));

/** Whether these words are a spelling of the command or the start of one. */
export const isPrefixOf = (command: Command, words: readonly string[]): boolean =>
  command.spellings.some((spelling) => words.every((word, at) => spelling[at] === word));

/**
 * Builds the command table. With `prefersOwn`, a program command replaces an operation of the same
 * name: `qmdc query` queries a workspace, although the search shelf has a command `query` too.
 */
export function createCommands(
  catalogue: Catalogue,
  program: readonly ProgramCommand[],
  prefersOwn = false,
): readonly Command[] {
  const operations = catalogue.entries.flatMap((entry) => {
    const { expose, input, summary, example } = entry.operation;
    if (expose.cli === undefined) return [];
    const group = entry.shelf.name;
    return [createCommand(expose.cli, { group, summary, input, example, target: entry })];
  });
  const others = program.map((target) => {
    const { cli, group, summary, input, hidden = false } = target;
    return createCommand(cli, { group, summary, input, hidden, target });
  });
  const isFree = ({ words }: Command): boolean =>
    !others.some((other) => isSpellingOf(other, words));
  const commands = [...(prefersOwn ? operations.filter(isFree) : operations), ...others];
  assertUniqueCommands(commands);
  return commands;
}

function createCommand(
  cli: string,
  parts: Pick<Command, "group" | "summary" | "input" | "target"> & {
    hidden?: boolean;
    example?: Record<string, unknown>;
  },
): Command {
  let split: { positionals: Positional[]; flags: Flag[] } | undefined;
  const splitOnce = () => {
    split ??= splitKeys(cli, parts.input);
    return split;
  };
  let resultFlags: readonly Flag[] | undefined;
  const spellings = spellingsOf(commandName(cli) ?? "");
  return {
    ...parts,
    hidden: parts.hidden ?? false,
    example: parts.example,
    words: spellings[0] ?? [],
    spellings,
    get positionals() {
      return splitOnce().positionals;
    },
    get flags() {
      return splitOnce().flags;
    },
    get resultFlags() {
      if ("run" in parts.target) return [];
      const own = splitOnce().flags.map(({ name }) => name);
      resultFlags ??= resultFlagsOf(parts.target).filter(({ name }) => !own.includes(name));
      return resultFlags;
    },
  };
}

/** `"collection remove|rm"` → `collection remove` and `collection rm`. */
const spellingsOf = (words: string): string[][] =>
  words
    .split(" ")
    .reduce<string[][]>(
      (prefixes, word) =>
        word.split("|").flatMap((form) => prefixes.map((words) => [...words, form])),
      [[]],
    );

/** The catalogue checks only the names of operations; this also covers aliases and program commands. */
function assertUniqueCommands(commands: readonly Command[]): void {
  const seen = new Set<string>();
  for (const spelling of commands.flatMap(({ spellings }) => spellings.map(joinWords))) {
    if (seen.has(spelling)) throw new Error(`Two commands are named '${spelling}'.`);
    seen.add(spelling);
  }
}

const joinWords = (words: readonly string[]): string => words.join(" ");

/** `"get <file> [note...]"` makes `file` and `note` positionals and all other keys flags. */
function splitKeys(cli: string, input: z.ZodObject): { positionals: Positional[]; flags: Flag[] } {
  const all = flagsOf(input);
  const positionals = [...cli.matchAll(/([<[])([^\]>.]+)(\.\.\.)?[>\]]/g)].map(
    ([, bracket, key, dots]): Positional => {
      const flag = all.find((candidate) => candidate.key === key);
      if (!flag) throw new Error(`Positional '${key}' of '${cli}' is not in the input schema.`);
      return { ...flag, required: bracket === "<", rest: dots !== undefined };
    },
  );
  const flags = all.filter(
    ({ key, isCliFlag }) => isCliFlag && !positionals.some((positional) => positional.key === key),
  );
  return { positionals, flags };
}
