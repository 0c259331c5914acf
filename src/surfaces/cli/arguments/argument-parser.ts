import { invalid } from "../../../kernel/failure.ts";
import { elementAt } from "../../../text/arrays/element-at.ts";
import { type Command, isPrefixOf, isSpellingOf, type Positional } from "../command.ts";
import type { Flag } from "./flag.ts";
import { checkValue, convertValue, quoteInput } from "./flag-value.ts";
import { type GlobalFlags, globalFlags, readGlobalFlags } from "./global-flags.ts";
import { type ResultOptions, readResultOptions } from "./result-flags.ts";
import { ambiguousDash, helpHint, unknownCommand, unknownFlag } from "./usage-errors.ts";

/** The command line, parsed by the command table alone: nothing has been opened yet. */
export interface ParsedArguments {
  readonly command: Command | undefined;
  /** The words of the command, or of a command group such as `collection`. */
  readonly path: readonly string[];
  readonly globals: GlobalFlags;
  readonly resultOptions: ResultOptions;
  readonly input: Record<string, unknown>;
}

/**
 * Parses the arguments from left to right. Global flags may appear anywhere, the flags of a command
 * only after its name. After `--`, every argument is a word.
 */
export function parseArguments(
  argv: readonly string[],
  commands: readonly Command[],
  program: string,
): ParsedArguments {
  const values = new Map<Flag, unknown>();
  const words: string[] = [];
  let path: readonly string[] = [];
  let command: Command | undefined;
  let resultFlags: readonly Flag[] = [];
  let flagsEnded = false;

  for (let at = 0; at < argv.length; at++) {
    const token = elementAt(argv, at);
    if (token === "--" && !flagsEnded) flagsEnded = true;
    else if (!flagsEnded && (looksLikeFlag(token) || isNullFlag(token)))
      at += consumeFlags(token, argv[at + 1]);
    else consumeWord(token);
  }

  const globals = readGlobalFlags(valuesByKey(globalFlags, values));
  if (!command || globals.help || globals.version) {
    return { command, path, globals, resultOptions: readResultOptions({}, false), input: {} };
  }
  const resultOptions = readResultOptions(valuesByKey(resultFlags, values), globals.json);
  assignPositionals(command, words, values, program);
  const missing = command.flags.find((flag) => flag.required && !values.has(flag));
  if (missing) {
    throw invalid(`Missing --${missing.name}.`, [
      ...(missing.description ? [`--${missing.name}: ${missing.description}.`] : []),
      helpHint(program, command),
    ]);
  }
  const input = valuesByKey([...command.positionals, ...command.flags], values);
  return { command, path, globals, resultOptions, input };

  function consumeWord(word: string): void {
    const longer = [...path, word];
    const mayExtendPath = words.length === 0 && !(command && flagsEnded);
    const matching = mayExtendPath ? commands.filter((known) => isPrefixOf(known, longer)) : [];
    if (matching.length > 0) {
      path = longer;
      command = matching.find((known) => isSpellingOf(known, longer));
    } else if (command) words.push(word);
    else throw unknownCommand(longer, commands, program);
  }

  /** `-0` is a flag of some commands; for all others it is a number. */
  function isNullFlag(token: string): boolean {
    return token === "-0" && knownResultFlags().some(({ short }) => short === "0");
  }

  /** Parses the flags in one token. Returns 1 if it used the next token as a value. */
  function consumeFlags(token: string, next: string | undefined): 0 | 1 {
    if (token.startsWith("--")) {
      const [name = "", value] = splitAtEquals(token.slice(2));
      const named = ({ name: own, aliases }: Flag) => own === name || aliases.includes(name);
      const flag = knownFlags().find(named) ?? knownResultFlags().find(named);
      if (flag) return consumeFlag(flag, `--${name}`, value, next);
      const negated = knownFlags().find(
        (candidate) => candidate.valueType === "nothing" && `no-${candidate.name}` === name,
      );
      if (!negated || value !== undefined) throw unknownFlag(`--${name}`, errorContext());
      values.set(negated, false);
      return 0;
    }
    // Short flags may be combined (-vh); one that takes a value is the last of them.
    for (let at = 1; at < token.length; at++) {
      const short = token[at];
      const isNamed = (candidate: Flag) => candidate.short === short;
      const flag = knownFlags().find(isNamed) ?? knownResultFlags().find(isNamed);
      if (!flag) throw unknownFlag(at === 1 ? token : `-${short}`, errorContext());
      const attached = token.slice(at + 1);
      if (flag.valueType === "nothing") {
        consumeFlag(flag, `-${short}`, undefined, next);
        continue;
      }
      // `search tea -cake` excludes the word cake. It must not mean `-c ake`.
      const mayBeWord = at === 1 && /^\p{L}/u.test(attached) && command?.positionals.at(-1)?.rest;
      if (mayBeWord) throw ambiguousDash(token, flag, errorContext());
      return consumeFlag(flag, `-${short}`, attached.replace(/^=/, "") || undefined, next);
    }
    return 0;
  }

  function consumeFlag(
    flag: Flag,
    label: string,
    attached: string | undefined,
    next: string | undefined,
  ): 0 | 1 {
    if (flag.valueType === "nothing") {
      if (attached !== undefined && attached !== "true" && attached !== "false") {
        throw invalid(`${label} takes no value, but got ${quoteInput(attached)}.`);
      }
      values.set(flag, attached !== "false");
      return 0;
    }
    const typed = attached ?? next;
    if (typed === undefined || (attached === undefined && looksLikeFlag(typed))) {
      throw invalid(`${label} needs a value.`, [
        ...(flag.choices.length > 0 ? [`One of: ${flag.choices.join(", ")}.`] : []),
        ...(typed ? [`For a value that begins with a dash, write --${flag.name}=${typed}`] : []),
      ]);
    }
    const before = values.get(flag);
    const list = Array.isArray(before) ? before : [];
    const several = () => splitList(flag, typed).map((part) => convertValue(flag, label, part));
    values.set(flag, flag.isList ? [...list, ...several()] : convertValue(flag, label, typed));
    checkValue(flag, label, values.get(flag));
    return attached === undefined ? 1 : 0;
  }

  /** A flag of the command shadows a global flag of the same name. */
  function knownFlags(): readonly Flag[] {
    return command ? [...command.flags, ...globalFlags] : globalFlags;
  }

  /** Built on demand, because most command lines use none of them. */
  function knownResultFlags(): readonly Flag[] {
    resultFlags = command?.resultFlags ?? [];
    return resultFlags;
  }

  function errorContext() {
    return { command, words, known: [...knownFlags(), ...knownResultFlags()], program };
  }
}

/** `notes,papers` → `notes` and `papers`, if the schema declares a separator. */
function splitList({ separator }: Flag, typed: string): string[] {
  const parts = separator === undefined ? [] : typed.split(separator).filter(Boolean);
  return parts.length > 0 ? parts : [typed];
}

/** A single dash and a negative number are values, not flags. */
const looksLikeFlag = (token: string): boolean =>
  token.length > 1 && token.startsWith("-") && !/^-\.?\d/.test(token);

function splitAtEquals(text: string): [string, string | undefined] {
  const at = text.indexOf("=");
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function valuesByKey(flags: readonly Flag[], values: ReadonlyMap<Flag, unknown>) {
  return Object.fromEntries(
    flags.filter((flag) => values.has(flag)).map((flag) => [flag.key, values.get(flag)]),
  );
}

/** Required positionals are filled before optional ones that precede them. */
function assignPositionals(
  command: Command,
  words: readonly string[],
  values: Map<Flag, unknown>,
  program: string,
): void {
  const remaining = [...words];
  command.positionals.forEach((positional, at) => {
    const requiredLater = command.positionals
      .slice(at + 1)
      .filter((other) => other.required).length;
    const free = positional.required ? remaining.length : remaining.length - requiredLater;
    if (free <= 0) {
      if (!positional.required) return;
      throw invalid(`Missing <${positional.name}>.`, [
        ...(positional.description ? [`<${positional.name}>: ${positional.description}.`] : []),
        helpHint(program, command),
      ]);
    }
    const count = positional.rest ? Math.max(1, remaining.length - requiredLater) : 1;
    assignPositional(positional, remaining.splice(0, count), values);
  });
  const [unexpected] = remaining;
  if (unexpected === undefined) return;
  throw invalid(`Unexpected argument ${quoteInput(unexpected)}.`, [
    ...(words.length > 1 ? ["Quote a value that contains spaces."] : []),
    helpHint(program, command),
  ]);
}

function assignPositional(
  positional: Positional,
  words: readonly string[],
  values: Map<Flag, unknown>,
): void {
  const label = `<${positional.name}>`;
  const value = positional.isList
    ? words.map((word) => convertValue(positional, label, word))
    : convertValue(positional, label, words.join(" "));
  checkValue(positional, label, value);
  values.set(positional, value);
}
