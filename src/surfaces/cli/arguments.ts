import { invalid } from "../../kernel/failure.ts";
import { type Answering, readAnswering } from "./answer-flags.ts";
import { type Command, isSpelled, leadsTo, type Positional } from "./command.ts";
import type { Flag } from "./flag.ts";
import { type GlobalFlags, globalFlags, readGlobals } from "./global-flags.ts";
import { dashedWord, seeHelp, unknownCommand, unknownFlag } from "./usage-errors.ts";
import { checkValue, convert, quote } from "./value.ts";

/** What was typed, read by the table of commands. Nothing has been opened or looked up. */
export interface Typed {
  readonly command: Command | undefined;
  /** The words that led to the command, or to a family of commands: `collection`. */
  readonly path: readonly string[];
  readonly globals: GlobalFlags;
  readonly answering: Answering;
  readonly input: Record<string, unknown>;
}

/**
 * Reads the arguments from left to right. Flags that every command has may stand anywhere, those
 * of one command only behind its name; `--` makes words of all that follows.
 */
export function readArguments(
  argv: readonly string[],
  commands: readonly Command[],
  program: string,
): Typed {
  const given = new Map<Flag, unknown>();
  const words: string[] = [];
  let path: readonly string[] = [];
  let command: Command | undefined;
  let answerFlags: readonly Flag[] = [];
  let flagsEnded = false;

  for (let at = 0; at < argv.length; at++) {
    const token = argv[at] ?? "";
    if (token === "--" && !flagsEnded) flagsEnded = true;
    else if (!flagsEnded && looksLikeFlag(token)) at += takeFlags(token, argv[at + 1]);
    else takeWord(token);
  }

  const globals = readGlobals(valuesOf(globalFlags, given));
  if (!command || globals.help || globals.version) {
    return { command, path, globals, answering: readAnswering({}, false), input: {} };
  }
  const answering = readAnswering(valuesOf(answerFlags, given), globals.json);
  placeWords(command, words, given, program);
  const missing = command.flags.find((flag) => flag.required && !given.has(flag));
  if (missing) {
    throw invalid(`Missing --${missing.name}.`, [
      ...(missing.about ? [`--${missing.name}: ${missing.about}.`] : []),
      seeHelp(program, command),
    ]);
  }
  const input = valuesOf([...command.positionals, ...command.flags], given);
  return { command, path, globals, answering, input };

  function takeWord(word: string): void {
    const longer = [...path, word];
    const mayLead = words.length === 0 && !(command && flagsEnded);
    const fitting = mayLead ? commands.filter((known) => leadsTo(known, longer)) : [];
    if (fitting.length > 0) {
      path = longer;
      command = fitting.find((known) => isSpelled(known, longer));
    } else if (command) words.push(word);
    else throw unknownCommand(longer, commands, program);
  }

  /** Takes one token's flags and says whether the next token was used up as a value. */
  function takeFlags(token: string, next: string | undefined): 0 | 1 {
    if (token.startsWith("--")) {
      const [name = "", value] = splitOnce(token.slice(2));
      const named = ({ name: own, aliases }: Flag) => own === name || aliases.includes(name);
      const flag = known().find(named) ?? takenLate().find(named);
      if (flag) return takeFlag(flag, `--${name}`, value, next);
      const negated = known().find(
        (candidate) => candidate.takes === "nothing" && `no-${candidate.name}` === name,
      );
      if (!negated || value !== undefined) throw unknownFlag(`--${name}`, complaint());
      given.set(negated, false);
      return 0;
    }
    // One dash: letters that take nothing may stand together, and one that takes a value ends them.
    for (let at = 1; at < token.length; at++) {
      const letter = token[at];
      const flag = known().find((candidate) => candidate.short === letter);
      if (!flag) throw unknownFlag(at === 1 ? token : `-${letter}`, complaint());
      const behind = token.slice(at + 1);
      if (flag.takes === "nothing") {
        takeFlag(flag, `-${letter}`, undefined, next);
        continue;
      }
      // `search tea -cake` leaves out cake, and must not look in a collection named `ake`.
      const mayBeWord = at === 1 && /^\p{L}/u.test(behind) && command?.positionals.at(-1)?.rest;
      if (mayBeWord) throw dashedWord(token, flag, complaint());
      return takeFlag(flag, `-${letter}`, behind.replace(/^=/, "") || undefined, next);
    }
    return 0;
  }

  function takeFlag(
    flag: Flag,
    label: string,
    attached: string | undefined,
    next: string | undefined,
  ): 0 | 1 {
    if (flag.takes === "nothing") {
      if (attached !== undefined && attached !== "true" && attached !== "false") {
        throw invalid(`${label} takes no value, but was given ${quote(attached)}.`);
      }
      given.set(flag, attached !== "false");
      return 0;
    }
    const typed = attached ?? next;
    if (typed === undefined || (attached === undefined && looksLikeFlag(typed))) {
      throw invalid(`${label} needs a value.`, [
        ...(flag.choices.length > 0 ? [`One of: ${flag.choices.join(", ")}.`] : []),
        ...(typed ? [`For a value that begins with a dash, write --${flag.name}=${typed}`] : []),
      ]);
    }
    const before = given.get(flag);
    const list = Array.isArray(before) ? before : [];
    const several = () => partsOf(flag, typed).map((part) => convert(flag, label, part));
    given.set(flag, flag.many ? [...list, ...several()] : convert(flag, label, typed));
    checkValue(flag, label, given.get(flag));
    return attached === undefined ? 1 : 0;
  }

  /** A command's own flag hides a global one of the same name. */
  function known(): readonly Flag[] {
    return command ? [...command.flags, ...globalFlags] : globalFlags;
  }

  /** Those are made late, because most commands are typed without any. */
  function takenLate(): readonly Flag[] {
    answerFlags = command?.answerFlags ?? [];
    return answerFlags;
  }

  function complaint() {
    return { command, words, known: [...known(), ...takenLate()], program };
  }
}

/** `notes,papers` → `notes` and `papers`, where the schema says that a comma parts them. */
function partsOf({ separator }: Flag, typed: string): string[] {
  const parts = separator === undefined ? [] : typed.split(separator).filter(Boolean);
  return parts.length > 0 ? parts : [typed];
}

/** A lone dash and a negative number are values. */
const looksLikeFlag = (token: string): boolean =>
  token.length > 1 && token.startsWith("-") && !/^-\.?\d/.test(token);

function splitOnce(text: string): [string, string | undefined] {
  const at = text.indexOf("=");
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function valuesOf(flags: readonly Flag[], given: ReadonlyMap<Flag, unknown>) {
  return Object.fromEntries(
    flags.filter((flag) => given.has(flag)).map((flag) => [flag.key, given.get(flag)]),
  );
}

/** An optional positional gives way to the required ones behind it. */
function placeWords(
  command: Command,
  words: readonly string[],
  given: Map<Flag, unknown>,
  program: string,
): void {
  const left = [...words];
  command.positionals.forEach((positional, at) => {
    const behind = command.positionals.slice(at + 1).filter(({ required }) => required).length;
    const free = positional.required ? left.length : left.length - behind;
    if (free <= 0) {
      if (!positional.required) return;
      throw invalid(`Missing <${positional.name}>.`, [
        ...(positional.about ? [`<${positional.name}>: ${positional.about}.`] : []),
        seeHelp(program, command),
      ]);
    }
    const count = positional.rest ? Math.max(1, left.length - behind) : 1;
    place(positional, left.splice(0, count), given);
  });
  if (left.length === 0) return;
  throw invalid(
    `Unexpected argument ${quote(left[0] ?? "")}.`,
    [words.length > 1 ? "Quote a value that holds spaces." : "", seeHelp(program, command)].filter(
      Boolean,
    ),
  );
}

function place(positional: Positional, words: readonly string[], given: Map<Flag, unknown>): void {
  const label = `<${positional.name}>`;
  const value = positional.many
    ? words.map((word) => convert(positional, label, word))
    : convert(positional, label, words.join(" "));
  checkValue(positional, label, value);
  given.set(positional, value);
}
