import type * as z from "zod";
import { type Catalogue, commandWords, type Entry } from "../../kernel/catalogue.ts";
import type { Library } from "../../kernel/library.ts";
import type { Settings } from "../../kernel/settings.ts";
import type { AnyShelf } from "../../kernel/shelf.ts";
import { answerFlagsOf } from "./answer-flags.ts";
import { type Flag, flagsOf } from "./flag.ts";
import type { GlobalFlags } from "./global-flags.ts";
import type { Screen } from "./screen.ts";

/**
 * What the program does beside its operations: serving, checking, explaining itself.
 * `cli` and `input` are written and read as those of an operation.
 */
export interface ProgramCommand<Input extends z.ZodObject = z.ZodObject> {
  /** `"completion <shell>"`: words of the command, then positionals by the schema's keys. */
  readonly cli: string;
  readonly summary: string;
  /** The heading it stands under in help. */
  readonly group: string;
  readonly input: Input;
  /** Left out of help, completion and the man page, yet it runs. */
  readonly hidden?: true;
  run(input: z.output<Input>, context: CommandContext): Promise<number> | number;
}

/** Gives `run` its input's type: `programCommand({ input: z.object({ … }), run(input) { … } })`. */
export const programCommand = <Input extends z.ZodObject>(
  command: ProgramCommand<Input>,
): ProgramCommand =>
  // The one caller parses by `input` before it calls `run`, so forgetting the type is sound.
  command as unknown as ProgramCommand;

export interface CommandContext {
  /** The name the program was started by. */
  readonly program: string;
  /** What it says after `--version`. */
  readonly version: string;
  /** The file that Node was started with, where that is known. */
  readonly script: string | undefined;
  readonly settings: Settings;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly out: Screen;
  readonly err: Screen;
  /** All of them, whichever are in use: a store has the tables of each. */
  readonly shelves: readonly AnyShelf[];
  /** The commands of the shelves in use. */
  readonly commands: readonly Command[];
  /** The global flags that were given. */
  readonly globals: GlobalFlags;
  /**
   * The library of a process that goes on running. Opened at the first call, which may bring other
   * settings; closed when the command has ended.
   */
  library(settings?: Settings): Library;
}

/** One line of the table that parsing, help, completion and the man page read. */
export interface Command {
  /** Its name. */
  readonly words: readonly string[];
  /** All the ways to type its name: `"remove|rm"` is one word in two spellings, the first its own. */
  readonly spellings: readonly (readonly string[])[];
  readonly group: string;
  readonly summary: string;
  readonly positionals: readonly Positional[];
  /** All keys of the schema that are no positionals. Read late: most commands are never asked. */
  readonly flags: readonly Flag[];
  /** What it takes because it answers: how the answer is printed and who is asked. */
  readonly answerFlags: readonly Flag[];
  readonly input: z.ZodObject;
  readonly example: Readonly<Record<string, unknown>> | undefined;
  readonly hidden: boolean;
  readonly does: Entry | ProgramCommand;
}

export interface Positional extends Flag {
  /** Takes all words that remain: joined by a space, or as a list where the schema has one. */
  readonly rest: boolean;
}

export const nameOf = (command: Command): string => typedAs(command.words);

/** Whether these words are one of its spellings. */
export const isSpelled = (command: Command, words: readonly string[]): boolean =>
  command.spellings.some((spelling) => typedAs(spelling) === typedAs(words));

/** Whether these words are a command's name or begin it. */
export const leadsTo = (command: Command, words: readonly string[]): boolean =>
  command.spellings.some((spelling) => words.every((word, at) => spelling[at] === word));

/**
 * `prefersOwn`: what the program itself does goes before an operation of the same name. `qmdc query`
 * asks a workspace, although the search shelf has a command `query` too.
 */
export function commandsOf(
  catalogue: Catalogue,
  program: readonly ProgramCommand[],
  prefersOwn = false,
): readonly Command[] {
  const operations = catalogue.entries.flatMap((entry) => {
    const { expose, input, summary, example } = entry.operation;
    if (expose.cli === undefined) return [];
    const group = entry.shelf.name;
    return [commandOf(expose.cli, { group, summary, input, example, does: entry })];
  });
  const others = program.map((does) => {
    const { cli, group, summary, input, hidden = false } = does;
    return commandOf(cli, { group, summary, input, hidden, does });
  });
  const isFree = ({ words }: Command): boolean => !others.some((other) => isSpelled(other, words));
  const commands = [...(prefersOwn ? operations.filter(isFree) : operations), ...others];
  refuseTwins(commands);
  return commands;
}

function commandOf(
  cli: string,
  parts: Pick<Command, "group" | "summary" | "input" | "does"> & {
    hidden?: boolean;
    example?: Record<string, unknown>;
  },
): Command {
  let split: { positionals: Positional[]; flags: Flag[] } | undefined;
  const splitOnce = () => {
    split ??= splitKeys(cli, parts.input);
    return split;
  };
  let answerFlags: readonly Flag[] | undefined;
  const spellings = spellingsOf(commandWords(cli) ?? "");
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
    get answerFlags() {
      if ("run" in parts.does) return [];
      const own = splitOnce().flags.map(({ name }) => name);
      answerFlags ??= answerFlagsOf(parts.does).filter(({ name }) => !own.includes(name));
      return answerFlags;
    },
  };
}

/** `"collection remove|rm"` → `collection remove` and `collection rm`. */
const spellingsOf = (words: string): string[][] =>
  words
    .split(" ")
    .reduce<string[][]>(
      (begun, word) => word.split("|").flatMap((one) => begun.map((before) => [...before, one])),
      [[]],
    );

/** The catalogue has compared its operations by name; here all spellings meet, and the program's own. */
function refuseTwins(commands: readonly Command[]): void {
  const seen = new Set<string>();
  for (const spelling of commands.flatMap(({ spellings }) => spellings.map(typedAs))) {
    if (seen.has(spelling)) throw new Error(`Two commands of one name: ${spelling}`);
    seen.add(spelling);
  }
}

const typedAs = (words: readonly string[]): string => words.join(" ");

/** `"get <file> [note...]"` makes `file` and `note` positionals, and all other keys flags. */
function splitKeys(cli: string, input: z.ZodObject): { positionals: Positional[]; flags: Flag[] } {
  const all = flagsOf(input);
  const positionals = [...cli.matchAll(/([<[])([^\]>.]+)(\.\.\.)?[>\]]/g)].map(
    ([, bracket, key, dots]): Positional => {
      const flag = all.find((candidate) => candidate.key === key);
      if (!flag) throw new Error(`The command '${cli}' names no key of its input: ${key}`);
      return { ...flag, required: bracket === "<", rest: dots !== undefined };
    },
  );
  const flags = all.filter(
    ({ key, isTyped }) => isTyped && !positionals.some((positional) => positional.key === key),
  );
  return { positionals, flags };
}
