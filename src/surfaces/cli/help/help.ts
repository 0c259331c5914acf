import type { Flag } from "../arguments/flag.ts";
import { globalFlags } from "../arguments/global-flags.ts";
import { allResultFlags } from "../arguments/result-flags.ts";
import { exampleCommandLine } from "../arguments/shell-words.ts";
import { unknownCommand } from "../arguments/usage-errors.ts";
import {
  type Command,
  type CommandContext,
  fullCommandName,
  isPrefixOf,
  isSpellingOf,
  type Positional,
} from "../command.ts";
import { exitCodeMeanings } from "../exit-codes.ts";
import { defaultHeadWidth, firstSentence, twoColumns, wrapWords } from "../output/text-wrap.ts";
import { environmentVariables } from "./environment-variables.ts";

/** The help page for the program, a command, a command group or a topic. */
export function helpPage(path: readonly string[], context: CommandContext): string {
  const words = path.join(" ");
  if (words === "") return programPage(context);
  const { commands, program } = context;
  const command = commands.find((known) => isSpellingOf(known, path));
  if (command) return commandPage(command, context);
  const family = commands.filter((known) => isPrefixOf(known, path));
  if (family.length > 0) return familyPage(words, family, context);
  const topic = topics.get(words);
  if (topic) return topic(context);
  throw unknownCommand(path, commands, program);
}

/** Help pages that are not about a command. */
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
    (context) =>
      heading("Environment", context) + twoColumns(environmentVariables, context.out.columns),
  ],
]);

function programPage(context: CommandContext): string {
  const { program, version, commands, out } = context;
  const shown = groupCommands(commands);
  const widest = widestHead(shown.flatMap(([, members]) => members));
  const groups = shown.map(
    ([group, members]) =>
      heading(capitalize(group), context) + commandList(members, widest, context),
  );
  return [
    `${program} ${version}: a local document server for agents and people.\n`,
    `Usage: ${program} <command> [arguments] [flags]\n`,
    ...groups,
    heading("Global flags", context) + flagList(globalFlags, out.columns),
    heading("Output flags", context) + flagList(allResultFlags(), out.columns),
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
  const { positionals, flags, resultFlags, example, summary } = command;
  const sections = [
    paragraph(summary, context),
    `Usage: ${program} ${usageOf(command)}\n`,
    otherNames(command).length > 0 &&
      `Aliases: ${otherNames(command)
        .map((name) => `${program} ${name}`)
        .join(", ")}\n`,
    positionals.length > 0 &&
      heading("Arguments", context) +
        twoColumns(
          positionals.map((positional) => [
            `<${positionalSyntax(positional)}>`,
            describeFlag(positional),
          ]),
          out.columns,
        ),
    flags.length > 0 && heading("Flags", context) + flagList(flags, out.columns),
    resultFlags.length > 0 && heading("Output flags", context) + flagList(resultFlags, out.columns),
    paragraph(`Global flags: ${globalFlagNames}. See '${program} help'.`, context),
    example && `${heading("Example", context)}  ${exampleCommandLine(program, command, example)}\n`,
  ];
  return sections.filter(Boolean).join("\n");
}

const globalFlagNames = globalFlags.map(({ name }) => `--${name}`).join(", ");

/** `search <query...> [flags]` */
function usageOf(command: Command): string {
  const required = command.flags.filter((flag) => flag.required);
  const others = command.flags.length > required.length ? ["[flags]"] : [];
  return [commandSyntax(command), ...required.map(flagSyntax), ...others].join(" ");
}

/** `search <query...>` */
export function commandSyntax(command: Command): string {
  const positionals = command.positionals.map((positional) =>
    positional.required ? `<${positionalSyntax(positional)}>` : `[${positionalSyntax(positional)}]`,
  );
  return [fullCommandName(command), ...positionals].join(" ");
}

const positionalSyntax = ({ name, rest }: Positional): string => (rest ? `${name}...` : name);

/** The visible commands by group; groups are in the order of their first command. */
export function groupCommands(commands: readonly Command[]): [string, Command[]][] {
  const groups = new Map<string, Command[]>();
  for (const command of commands) {
    if (command.hidden) continue;
    groups.set(command.group, [...(groups.get(command.group) ?? []), command]);
  }
  return [...groups];
}

/** The widest command that fits in the first column; wider ones have their own line. */
const widestHead = (commands: readonly Command[]): number =>
  Math.max(
    0,
    ...commands
      .map((command) => commandSyntax(command).length)
      .filter((length) => length <= defaultHeadWidth),
  );

function commandList(
  commands: readonly Command[],
  widest: number,
  { out }: CommandContext,
): string {
  return twoColumns(
    commands
      .filter(({ hidden }) => !hidden)
      .map((command) => [commandSyntax(command).padEnd(widest), listEntry(command)]),
    out.columns,
  );
}

function listEntry(command: Command): string {
  const others = otherNames(command).map((name) => `'${name}'`);
  return firstSentence(command.summary) + (others.length > 0 ? ` (also ${others.join(", ")})` : "");
}

const otherNames = ({ spellings }: Command): string[] =>
  spellings.slice(1).map((words) => words.join(" "));

const flagList = (flags: readonly Flag[], columns: number): string =>
  twoColumns(
    flags.map((flag) => [
      `${flag.short ? `-${flag.short}, ` : "    "}${flagSyntax(flag)}`,
      describeFlag(flag),
    ]),
    columns,
  );

/** `--limit <n>`, `--[no-]color`, `--format <text|json>` */
export function flagSyntax(flag: Flag): string {
  if (flag.valueType === "nothing") {
    return flag.defaultValue === false ? `--${flag.name}` : `--[no-]${flag.name}`;
  }
  return `--${flag.name} <${valueName(flag)}>`;
}

function valueName(flag: Flag): string {
  if (flag.choices.length > 0) {
    const choices = flag.choices.join("|");
    return choices.length <= 24 ? choices : "choice";
  }
  return flag.valueType === "whole number" ? "n" : flag.valueType;
}

/** The description and constraints: `Maximum number of results (default 10, at least 1)`. */
export function describeFlag(flag: Flag): string {
  const choices = flag.choices.join(", ");
  const facts = [
    flag.required && !("rest" in flag) && "required",
    flag.shellDefault && `default: ${flag.shellDefault.label}`,
    !flag.shellDefault &&
      hasDefault(flag) &&
      `default ${flag.defaultValue === true ? "on" : JSON.stringify(flag.defaultValue)}`,
    flag.range,
    choices && (valueName(flag) === "choice" || "rest" in flag) && `one of ${choices}`,
    flag.isList && !("rest" in flag) && "repeatable",
  ].filter(Boolean);
  return [flag.description, facts.length > 0 && `(${facts.join(", ")})`].filter(Boolean).join(" ");
}

/** Defaults of false and of an empty list are not shown. */
const hasDefault = ({ defaultValue }: Flag): boolean =>
  defaultValue !== undefined &&
  defaultValue !== false &&
  !(Array.isArray(defaultValue) && defaultValue.length === 0);

const heading = (title: string, { out }: CommandContext): string => `${out.colours.bold(title)}\n`;

const paragraph = (text: string, { out }: CommandContext): string =>
  `${wrapWords(text, out.columns).join("\n")}\n`;

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
