import { everyAnswerFlag } from "./answer-flags.ts";
import {
  type Command,
  type CommandContext,
  isSpelled,
  leadsTo,
  nameOf,
  type Positional,
} from "./command.ts";
import { environment } from "./environment.ts";
import { exitCodeMeanings } from "./exit-codes.ts";
import type { Flag } from "./flag.ts";
import { globalFlags } from "./global-flags.ts";
import { firstSentence, twoColumns, usualHead, wrap } from "./page.ts";
import { typedCommand } from "./typed-words.ts";
import { unknownCommand } from "./usage-errors.ts";

/** The page for the words behind `help`: the program, a command, a family of commands, a topic. */
export function helpPage(path: readonly string[], context: CommandContext): string {
  const words = path.join(" ");
  if (words === "") return programPage(context);
  const { commands, program } = context;
  const command = commands.find((known) => isSpelled(known, path));
  if (command) return commandPage(command, context);
  const family = commands.filter((known) => leadsTo(known, path));
  if (family.length > 0) return familyPage(words, family, context);
  const topic = topics.get(words);
  if (topic) return topic(context);
  throw unknownCommand(path, commands, program);
}

/** Pages that are no command's. */
const topics = new Map<string, (context: CommandContext) => string>([
  [
    "exit-codes",
    (context) => {
      const rows = exitCodeMeanings.map(([code, meaning]) => [String(code), meaning] as const);
      return heading("Exit codes", context) + twoColumns(rows, context.out.columns);
    },
  ],
  [
    "environment",
    (context) => heading("Environment", context) + twoColumns(environment, context.out.columns),
  ],
]);

function programPage(context: CommandContext): string {
  const { program, version, commands, out } = context;
  const shown = groupsOf(commands);
  const widest = widestHead(shown.flatMap(([, members]) => members));
  const groups = shown.map(
    ([group, members]) => heading(capital(group), context) + commandList(members, widest, context),
  );
  return [
    `${program} ${version}: documents in front of agents and people.\n`,
    `Usage: ${program} <command> [arguments] [flags]\n`,
    ...groups,
    heading("Flags of every command", context) + flagList(globalFlags, out.columns),
    heading("Flags of commands that answer", context) + flagList(everyAnswerFlag(), out.columns),
    paragraph(
      `See '${program} help <command>' for one command, and '${program} help exit-codes' and ` +
        `'${program} help environment' for use in scripts.`,
      context,
    ),
  ].join("\n");
}

function familyPage(words: string, family: readonly Command[], context: CommandContext): string {
  return [
    `Usage: ${context.program} ${words} <command> [arguments] [flags]\n`,
    heading("Commands", context) + commandList(family, widestHead(family), context),
  ].join("\n");
}

function commandPage(command: Command, context: CommandContext): string {
  const { program, out } = context;
  const { positionals, flags, answerFlags, example, summary } = command;
  const sections = [
    paragraph(summary, context),
    `Usage: ${program} ${usageOf(command)}\n`,
    otherNames(command).length > 0 &&
      `Also spelled: ${otherNames(command)
        .map((name) => `${program} ${name}`)
        .join(", ")}\n`,
    positionals.length > 0 &&
      heading("Arguments", context) +
        twoColumns(
          positionals.map((positional) => [`<${inner(positional)}>`, explain(positional)]),
          out.columns,
        ),
    flags.length > 0 && heading("Flags", context) + flagList(flags, out.columns),
    answerFlags.length > 0 &&
      heading("Flags of its answer", context) + flagList(answerFlags, out.columns),
    paragraph(`Every command also takes ${everywhere}; see '${program} help'.`, context),
    example && `${heading("Example", context)}  ${typedCommand(program, command, example)}\n`,
  ];
  return sections.filter(Boolean).join("\n");
}

const everywhere = globalFlags.map(({ name }) => `--${name}`).join(", ");

/** `search <query...> [flags]` */
function usageOf(command: Command): string {
  const required = command.flags.filter((flag) => flag.required);
  const others = command.flags.length > required.length ? ["[flags]"] : [];
  return [headOf(command), ...required.map(longForm), ...others].join(" ");
}

/** `search <query...>` */
export function headOf(command: Command): string {
  const positionals = command.positionals.map((positional) =>
    positional.required ? `<${inner(positional)}>` : `[${inner(positional)}]`,
  );
  return [nameOf(command), ...positionals].join(" ");
}

const inner = ({ name, rest }: Positional): string => (rest ? `${name}...` : name);

/** Shown commands by their group, in the order in which groups first come. */
export function groupsOf(commands: readonly Command[]): [string, Command[]][] {
  const groups = new Map<string, Command[]>();
  for (const command of commands) {
    if (command.hidden) continue;
    groups.set(command.group, [...(groups.get(command.group) ?? []), command]);
  }
  return [...groups];
}

/** Of those that leave room beside them; the others have a line of their own. */
const widestHead = (commands: readonly Command[]): number =>
  Math.max(
    0,
    ...commands.map((command) => headOf(command).length).filter((length) => length <= usualHead),
  );

function commandList(
  commands: readonly Command[],
  widest: number,
  { out }: CommandContext,
): string {
  return twoColumns(
    commands
      .filter(({ hidden }) => !hidden)
      .map((command) => [headOf(command).padEnd(widest), listed(command)]),
    out.columns,
  );
}

function listed(command: Command): string {
  const others = otherNames(command).map((name) => `'${name}'`);
  return firstSentence(command.summary) + (others.length > 0 ? ` (also ${others.join(", ")})` : "");
}

const otherNames = ({ spellings }: Command): string[] =>
  spellings.slice(1).map((words) => words.join(" "));

const flagList = (flags: readonly Flag[], columns: number): string =>
  twoColumns(
    flags.map((flag) => [
      `${flag.short ? `-${flag.short}, ` : "    "}${longForm(flag)}`,
      explain(flag),
    ]),
    columns,
  );

/** `--limit <n>`, `--[no-]color`, `--format <text|json>` */
export function longForm(flag: Flag): string {
  if (flag.takes === "nothing") {
    return flag.fallback === false ? `--${flag.name}` : `--[no-]${flag.name}`;
  }
  return `--${flag.name} <${valueName(flag)}>`;
}

function valueName(flag: Flag): string {
  if (flag.choices.length > 0) {
    const choices = flag.choices.join("|");
    return choices.length <= 24 ? choices : "choice";
  }
  return flag.takes === "whole number" ? "n" : flag.takes;
}

/** What a flag means, with what its schema knows of it: `Most results (default 10, at least 1)`. */
export function explain(flag: Flag): string {
  const choices = flag.choices.join(", ");
  const facts = [
    flag.required && !("rest" in flag) && "required",
    flag.shell && `default: ${flag.shell.says}`,
    !flag.shell &&
      hasDefault(flag) &&
      `default ${flag.fallback === true ? "on" : JSON.stringify(flag.fallback)}`,
    flag.range,
    choices && (valueName(flag) === "choice" || "rest" in flag) && `one of ${choices}`,
    flag.many && !("rest" in flag) && "may be given several times",
  ].filter(Boolean);
  return [flag.about, facts.length > 0 && `(${facts.join(", ")})`].filter(Boolean).join(" ");
}

/** That a switch is off and a list empty needs no telling. */
const hasDefault = ({ fallback }: Flag): boolean =>
  fallback !== undefined &&
  fallback !== false &&
  !(Array.isArray(fallback) && fallback.length === 0);

const heading = (title: string, { out }: CommandContext): string => `${out.colours.bold(title)}\n`;

const paragraph = (words: string, { out }: CommandContext): string =>
  `${wrap(words, out.columns).join("\n")}\n`;

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
