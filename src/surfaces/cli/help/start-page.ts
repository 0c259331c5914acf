import { elementAt } from "../../../text/arrays/element-at.ts";
import type { Command, CommandContext } from "../command.ts";
import { fullCommandName } from "../command.ts";
import { shortSummary, twoColumns } from "../output/text-wrap.ts";
import { commandSyntax, groupCommands } from "./help.ts";

/** The commands that most people need first, in the order in which they need them. */
const firstCommands = [
  "init",
  "collection add",
  "collection list",
  "search",
  "query",
  "grep",
  "get",
  "list",
  "update",
  "embed",
  "status",
  "serve",
  "server",
  "mcp",
  "proposals",
  "doctor",
  "parse",
  "lint",
];

/** The page of the program without arguments. It fits on one screen. */
export function startPage({ program, version, commands, out }: CommandContext): string {
  const { colours, columns } = out;
  const shown = firstCommands.flatMap((name) => {
    const command = commands.find((known) => !known.hidden && fullCommandName(known) === name);
    return command ? [command] : [];
  });
  const heads = shown.map(commandSyntax);
  const room = columns - Math.max(0, ...heads.map((head) => head.length)) - margins;
  const first = shown.map(
    (command, at) => [elementAt(heads, at), shortSummary(command.summary, room)] as const,
  );
  const groups = groupCommands(commands).map(
    ([group, members]) => [group, firstWords(members).join(", ")] as const,
  );
  return [
    `${program} ${version}: a local document server for agents and people.\n`,
    `Usage: ${program} <command> [arguments] [flags]\n`,
    `${colours.bold("First commands")}\n${twoColumns(first, columns)}`,
    `${colours.bold("All commands")}\n${twoColumns(groups, columns)}`,
    `'${program} help' describes all commands and flags, '${program} help <command>' one command.\n`,
  ].join("\n");
}

/** The indentation of a list and the gap between its columns. */
const margins = 5;

/** The first word of each command, once: `collection` for `collection add` and `collection list`. */
const firstWords = (commands: readonly Command[]): string[] => [
  ...new Set(commands.flatMap(({ words }) => words[0] ?? [])),
];
