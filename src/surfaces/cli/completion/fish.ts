import type { Flag } from "../arguments/flag.ts";
import { globalFlags } from "../arguments/global-flags.ts";
import type { Command } from "../command.ts";
import { shortSummary } from "../output/text-wrap.ts";
import {
  type CompletionPoint,
  completionPoints,
  flagSpellings,
  shellSafeChoices,
} from "./candidates.ts";

export function fishScript(program: string, commands: readonly Command[]): string {
  const points = completionPoints(commands);
  const paths = points.map(({ path }) => path).filter(Boolean);
  const flagsWithValue = [...globalFlags, ...points.flatMap(({ flags }) => flags)]
    .filter(({ valueType }) => valueType !== "nothing")
    .flatMap(({ name, short }) => [`--${name}`, ...(short ? [`-${short}`] : [])]);
  return `# Completion of ${program} for fish. Save it as ~/.config/fish/completions/${program}.fish

function __${program}_typed
    set -l typed
    set -l waiting no
    set -l given (commandline -opc)
    set -e given[1]
    for word in $given
        if test $waiting = yes
            set waiting no
            continue
        end
        switch $word
            case '--*=*'
                continue
            case ${[...new Set(flagsWithValue)].map(fishQuoted).join(" ")}
                set waiting yes
            case '-*'
                continue
            case '*'
                set -l longer (string join -- ' ' $typed $word)
                if contains -- $longer ${paths.map(fishQuoted).join(" ")}
                    set typed $longer
                end
        end
    end
    echo "$typed"
end

function __${program}_at
    set -l typed (__${program}_typed)
    test "$typed" = "$argv[1]"
end

${globalFlags.flatMap((flag) => flagLines(`complete -c ${program}`, flag)).join("\n")}
${points.flatMap((point) => completionLines(program, point)).join("\n")}
`;
}

function completionLines(program: string, { path, words, flags }: CompletionPoint): string[] {
  const start = `complete -c ${program} -n ${fishQuoted(`__${program}_at ${fishQuoted(path)}`)}`;
  return [
    ...words.map(
      ([word, about]) =>
        `${start} -f -a ${fishQuoted(word)}${about ? ` -d ${fishQuoted(about)}` : ""}`,
    ),
    ...flags.flatMap((flag) => flagLines(start, flag)),
  ];
}

function flagLines(start: string, flag: Flag): string[] {
  const about = flag.description ? ` -d ${fishQuoted(shortSummary(flag.description, 60))}` : "";
  const short = flag.short ? ` -s ${flag.short}` : "";
  const choices = shellSafeChoices(flag);
  const value = choices.length > 0 ? ` -x -a ${fishQuoted(choices.join(" "))}` : " -r";
  return flagSpellings(flag).map(
    (spelling) =>
      `${start} -l ${spelling.slice(2)}${short}${flag.valueType === "nothing" ? "" : value}${about}`,
  );
}

/** In single quotes of fish, a backslash escapes itself and the quote. */
const fishQuoted = (text: string): string =>
  `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
