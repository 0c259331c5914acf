import type { Flag } from "../arguments/flag.ts";
import { globalFlags } from "../arguments/global-flags.ts";
import { allResultFlags } from "../arguments/result-flags.ts";
import { exampleCommandLine } from "../arguments/shell-words.ts";
import { type Command, type CommandContext, fullCommandName } from "../command.ts";
import { exitCodeMeanings } from "../exit-codes.ts";
import { environmentVariables } from "./environment-variables.ts";
import { commandSyntax, describeFlag, flagSyntax, groupCommands } from "./help.ts";

/** The manual page in roff, from the same table as `help`. */
export function manPage({ program, version, commands }: CommandContext): string {
  return [
    `.TH ${program.toUpperCase()} 1 "" "${escapeRoff(`${program} ${version}`)}" "User Commands"`,
    ".SH NAME",
    `${program} \\- local document server for agents and people`,
    ".SH SYNOPSIS",
    `.B ${program}`,
    "\\fIcommand\\fR [\\fIarguments\\fR] [\\fIflags\\fR]",
    ".SH DESCRIPTION",
    "Searches and serves the documents of this machine: to agents over MCP, to programs over REST,",
    "and to people at the shell and in the browser.",
    "Every command accepts \\fB\\-\\-json\\fR. Errors are written to standard error.",
    ".SH COMMANDS",
    ...groupCommands(commands).flatMap(([group, members]) => [
      `.SS ${escapeRoff(group.charAt(0).toUpperCase() + group.slice(1))}`,
      ...members.flatMap((command) => commandLines(program, command)),
    ]),
    ".SH GLOBAL FLAGS",
    ...globalFlags.flatMap(flagLines),
    ".SH OUTPUT FLAGS",
    ...allResultFlags().flatMap(flagLines),
    ".SH EXIT STATUS",
    ...exitCodeMeanings.flatMap(([code, meaning]) => [".TP", `.B ${code}`, escapeRoff(meaning)]),
    ".SH ENVIRONMENT",
    ...environmentVariables.flatMap(([name, meaning]) => [
      ".TP",
      `.B ${escapeRoff(name)}`,
      escapeRoff(meaning),
    ]),
    ".SH EXAMPLES",
    ...commands
      .filter(({ example, hidden }) => example && !hidden)
      .slice(0, 6)
      .flatMap((command) => [
        ".TP",
        `.B ${escapeRoff(exampleCommandLine(program, command, command.example ?? {}))}`,
        escapeRoff(command.summary),
      ]),
    "",
  ].join("\n");
}

function commandLines(program: string, command: Command): string[] {
  const flags = command.flags.flatMap(flagLines);
  return [
    ".TP",
    `.B ${escapeRoff(`${program} ${fullCommandName(command)}`)}${escapeRoff(commandSyntax(command).slice(fullCommandName(command).length))}`,
    escapeRoff(command.summary),
    ...(flags.length > 0 ? [".RS", ...flags, ".RE"] : []),
  ];
}

function flagLines(flag: Flag): string[] {
  const short = flag.short ? `-${flag.short}, ` : "";
  return [
    ".TP",
    `.B ${escapeRoff(`${short}${flagSyntax(flag)}`)}`,
    escapeRoff(describeFlag(flag)) || "\\&",
  ];
}

/** Escapes text for roff, so that no line is a request and no dash becomes a hyphen. */
export function escapeRoff(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll('"', "\\(dq")
    .replace(/^([.'])/, "\\&$1")
    .replace(
      /[^\0-\x7e]/gu,
      (character) =>
        `\\[u${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}]`,
    );
}
