import { type Failure, invalid } from "../../kernel/failure.ts";
import { nearest } from "../../text/similar-names.ts";
import { insteadOf } from "./answer-flags.ts";
import { type Command, nameOf } from "./command.ts";
import type { Flag } from "./flag.ts";
import { quoted } from "./typed-words.ts";
import { quote } from "./value.ts";

/** How far the line was read when something in it was wrong. */
interface Reading {
  readonly program: string;
  readonly command: Command | undefined;
  /** The words behind the command so far. */
  readonly words: readonly string[];
  /** The flags that may stand here. */
  readonly known: readonly Flag[];
}

export function unknownCommand(
  path: readonly string[],
  commands: readonly Command[],
  program: string,
): Failure {
  const shown = commands.filter(({ hidden }) => !hidden).map(nameOf);
  const family = path.slice(0, -1).join(" ");
  const kin = shown.filter((name) => family && name.startsWith(`${family} `));
  const typed = path.join(" ");
  const firstWords = [...new Set(shown.map((name) => name.split(" ")[0] ?? name))];
  const [guess] = nearest(typed, [...shown, ...(family ? [] : firstWords)], 1);
  return invalid(`Unknown command ${quote(typed)}.`, [
    ...(guess ? [`Did you mean '${guess}'?`] : []),
    ...(kin.length > 0 ? [`Commands of '${family}': ${kin.join(", ")}.`] : []),
    `See '${program} help'.`,
  ]);
}

export function unknownFlag(typed: string, reading: Reading): Failure {
  const { command, program, known } = reading;
  const instead = command && insteadOf(typed.replace(/^--/, ""));
  if (instead) {
    return invalid(`'${nameOf(command)}' takes no ${typed}.`, [instead, seeHelp(program, command)]);
  }
  const names = known.flatMap((flag) =>
    flag.takes === "nothing" ? [flag.name, `no-${flag.name}`] : [flag.name],
  );
  const [guess] = typed.length > 2 ? nearest(typed.replace(/^--?/, ""), names, 1) : [];
  return invalid(`Unknown flag ${quote(typed)}${command ? "" : " before a command"}.`, [
    ...(guess ? [`Did you mean --${guess}?`] : []),
    command ? asWord(typed, reading) : "Flags of a command stand behind its name.",
    seeHelp(program, command),
  ]);
}

/** A word that was meant to begin with a dash, or a flag of one letter with its value attached. */
export function dashedWord(typed: string, flag: Flag, reading: Reading): Failure {
  const value = typed.slice(2);
  return invalid(
    `${quote(typed)} may be a word, or -${flag.short} with the value ${quote(value)}.`,
    [
      asWord(typed, reading),
      ...(flag.takes === "text" ? [`For the flag: -${flag.short} ${quoted(value)}`] : []),
    ],
  );
}

/** The line as it has to be typed for a word that begins with a dash. */
function asWord(typed: string, { program, command, words }: Reading): string {
  const remedy = "For a word that begins with a dash, put -- before it";
  const isShort = [...words, typed].join(" ").length <= 60;
  if (!command?.positionals.at(-1)?.rest || typed.startsWith("--") || !isShort) return `${remedy}.`;
  const start = `${program} ${nameOf(command)}`;
  if (words.length === 0) return `${remedy}: ${start} -- ${quoted(typed)}`;
  return `${remedy}, or quote the words: ${start} ${quoted([...words, typed].join(" "))}`;
}

export const seeHelp = (program: string, command: Command | undefined): string =>
  command ? `See '${program} help ${nameOf(command)}'.` : `See '${program} help'.`;
