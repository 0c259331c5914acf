import { everyAnswerFlag } from "./answer-flags.ts";
import { type Command, type CommandContext, nameOf } from "./command.ts";
import { environment } from "./environment.ts";
import { exitCodeMeanings } from "./exit-codes.ts";
import type { Flag } from "./flag.ts";
import { globalFlags } from "./global-flags.ts";
import { explain, groupsOf, headOf, longForm } from "./help.ts";
import { typedCommand } from "./typed-words.ts";

/** The manual page in roff, from the table that `help` reads. */
export function manPage({ program, version, commands }: CommandContext): string {
  return [
    `.TH ${program.toUpperCase()} 1 "" "${roff(`${program} ${version}`)}" "User Commands"`,
    ".SH NAME",
    `${program} \\- documents in front of agents and people`,
    ".SH SYNOPSIS",
    `.B ${program}`,
    "\\fIcommand\\fR [\\fIarguments\\fR] [\\fIflags\\fR]",
    ".SH DESCRIPTION",
    "Searches and serves documents of this machine: to agents over MCP, to programs over REST,",
    "to people at the shell and in the browser.",
    "Every command takes \\fB\\-\\-json\\fR; errors go to standard error.",
    ".SH COMMANDS",
    ...groupsOf(commands).flatMap(([group, members]) => [
      `.SS ${roff(group.charAt(0).toUpperCase() + group.slice(1))}`,
      ...members.flatMap((command) => commandLines(program, command)),
    ]),
    ".SH FLAGS OF EVERY COMMAND",
    ...globalFlags.flatMap(flagLines),
    ".SH FLAGS OF COMMANDS THAT ANSWER",
    ...everyAnswerFlag().flatMap(flagLines),
    ".SH EXIT STATUS",
    ...exitCodeMeanings.flatMap(([code, meaning]) => [".TP", `.B ${code}`, roff(meaning)]),
    ".SH ENVIRONMENT",
    ...environment.flatMap(([name, meaning]) => [".TP", `.B ${roff(name)}`, roff(meaning)]),
    ".SH EXAMPLES",
    ...commands
      .filter(({ example, hidden }) => example && !hidden)
      .slice(0, 6)
      .flatMap((command) => [
        ".TP",
        `.B ${roff(typedCommand(program, command, command.example ?? {}))}`,
        roff(command.summary),
      ]),
    "",
  ].join("\n");
}

function commandLines(program: string, command: Command): string[] {
  const flags = command.flags.flatMap(flagLines);
  return [
    ".TP",
    `.B ${roff(`${program} ${nameOf(command)}`)}${roff(headOf(command).slice(nameOf(command).length))}`,
    roff(command.summary),
    ...(flags.length > 0 ? [".RS", ...flags, ".RE"] : []),
  ];
}

function flagLines(flag: Flag): string[] {
  const short = flag.short ? `-${flag.short}, ` : "";
  return [".TP", `.B ${roff(`${short}${longForm(flag)}`)}`, roff(explain(flag)) || "\\&"];
}

/** Text that roff prints as it stands: no line of it is a request, and no dash turns into a hyphen. */
export function roff(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll('"', "\\(dq")
    .replace(/^([.'])/, "\\&$1")
    .replace(
      /[^\0-\x7e]/gu,
      (letter) => `\\[u${letter.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}]`,
    );
}
