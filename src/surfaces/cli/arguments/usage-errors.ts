import { type Failure, invalid } from "../../../kernel/failure.ts";
import { didYouMean } from "../../did-you-mean.ts";
import { type Command, fullCommandName } from "../command.ts";
import type { Flag } from "./flag.ts";
import { quoteInput } from "./flag-value.ts";
import { unsupportedFlagHint } from "./result-flags.ts";
import { shellQuote } from "./shell-words.ts";

/** The state of the parser at an error. */
interface ParseState {
  readonly program: string;
  readonly command: Command | undefined;
  /** The words after the command so far. */
  readonly words: readonly string[];
  /** The flags that are valid here. */
  readonly known: readonly Flag[];
}

export function unknownCommand(
  path: readonly string[],
  commands: readonly Command[],
  program: string,
): Failure {
  const shown = commands.filter(({ hidden }) => !hidden).map(fullCommandName);
  const family = path.slice(0, -1).join(" ");
  const members = shown.filter((name) => family && name.startsWith(`${family} `));
  const typed = path.join(" ");
  const firstWords = [...new Set(shown.map((name) => name.split(" ")[0] ?? name))];
  const candidates = [...shown, ...(family ? [] : firstWords)];
  return invalid(`Unknown command ${quoteInput(typed)}.`, [
    ...didYouMean(typed, candidates),
    ...(members.length > 0 ? [`Commands of '${family}': ${members.join(", ")}.`] : []),
    `See '${program} help'.`,
  ]);
}

export function unknownFlag(typed: string, reading: ParseState): Failure {
  const { command, program, known } = reading;
  const instead = command && unsupportedFlagHint(typed.replace(/^--/, ""));
  if (instead) {
    return invalid(`'${fullCommandName(command)}' does not accept ${typed}.`, [
      instead,
      helpHint(program, command),
    ]);
  }
  const names = known.flatMap((flag) =>
    flag.valueType === "nothing" ? [flag.name, `no-${flag.name}`] : [flag.name],
  );
  const guesses = typed.length > 2 ? didYouMean(typed.replace(/^--?/, ""), names, "--") : [];
  return invalid(`Unknown flag ${quoteInput(typed)}${command ? "" : " before a command"}.`, [
    ...guesses,
    command ? dashHint(typed, reading) : "Put the flags of a command after its name.",
    helpHint(program, command),
  ]);
}

/** `-cake` may be a word, or the short flag `-c` with the attached value `ake`. */
export function ambiguousDash(typed: string, flag: Flag, reading: ParseState): Failure {
  const value = typed.slice(2);
  return invalid(
    `${quoteInput(typed)} is ambiguous: a word, or -${flag.short} with the value ${quoteInput(value)}.`,
    [
      dashHint(typed, reading),
      ...(flag.valueType === "text" ? [`For the flag: -${flag.short} ${shellQuote(value)}`] : []),
    ],
  );
}

/** How to type a word that begins with a dash. */
function dashHint(typed: string, { program, command, words }: ParseState): string {
  const remedy = "For a word that begins with a dash, put -- before it";
  const isShort = [...words, typed].join(" ").length <= 60;
  if (!command?.positionals.at(-1)?.rest || typed.startsWith("--") || !isShort) return `${remedy}.`;
  const start = `${program} ${fullCommandName(command)}`;
  if (words.length === 0) return `${remedy}: ${start} -- ${shellQuote(typed)}`;
  return `${remedy}, or quote the words: ${start} ${shellQuote([...words, typed].join(" "))}`;
}

export const helpHint = (program: string, command: Command | undefined): string =>
  command ? `See '${program} help ${fullCommandName(command)}'.` : `See '${program} help'.`;
