import type { Command } from "./command.ts";
import { type Place, placesOf, plainChoices, spellings } from "./completion-table.ts";
import type { Flag } from "./flag.ts";
import { globalFlags } from "./global-flags.ts";
import { oneLine } from "./page.ts";

export function fishScript(program: string, commands: readonly Command[]): string {
  const places = placesOf(commands);
  const paths = places.map(({ path }) => path).filter(Boolean);
  const taking = [...globalFlags, ...places.flatMap(({ flags }) => flags)]
    .filter(({ takes }) => takes !== "nothing")
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
            case ${[...new Set(taking)].map(fishQuoted).join(" ")}
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
${places.flatMap((place) => linesOf(program, place)).join("\n")}
`;
}

function linesOf(program: string, { path, words, flags }: Place): string[] {
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
  const about = flag.about ? ` -d ${fishQuoted(oneLine(flag.about, 60))}` : "";
  const short = flag.short ? ` -s ${flag.short}` : "";
  const choices = plainChoices(flag);
  const value = choices.length > 0 ? ` -x -a ${fishQuoted(choices.join(" "))}` : " -r";
  return spellings(flag).map(
    (spelling) =>
      `${start} -l ${spelling.slice(2)}${short}${flag.takes === "nothing" ? "" : value}${about}`,
  );
}

/** In fish's single quotes, a backslash escapes itself and the quote. */
const fishQuoted = (text: string): string =>
  `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
