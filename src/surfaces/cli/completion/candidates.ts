import type { Flag } from "../arguments/flag.ts";
import { globalFlags } from "../arguments/global-flags.ts";
import { shellQuote } from "../arguments/shell-words.ts";
import { type Command, isSpellingOf } from "../command.ts";
import { shortSummary } from "../output/text-wrap.ts";

/** A completion and its description. */
type Candidate = readonly [word: string, about: string];

/** The completions after some words: `""`, `"collection"`, `"collection add"`. */
export interface CompletionPoint {
  readonly path: string;
  /** The next words of commands, or the choices of a positional. */
  readonly words: readonly Candidate[];
  /** The flags of the command at this point; global flags are offered everywhere. */
  readonly flags: readonly Flag[];
}

export function completionPoints(commands: readonly Command[]): CompletionPoint[] {
  const paths = new Set([""]);
  for (const words of commands.flatMap(({ spellings }) => spellings)) {
    for (const at of words.keys()) paths.add(words.slice(0, at + 1).join(" "));
  }
  return [...paths].map((path) => {
    const command = commands.find((known) => isSpellingOf(known, path.split(" ")));
    const values = command?.positionals[0] ? shellSafeChoices(command.positionals[0]) : [];
    return {
      path,
      words: [...nextWords(path, commands), ...values.map((value): Candidate => [value, ""])],
      flags: command ? [...command.flags, ...command.resultFlags] : [],
    };
  });
}

/** The useful spellings of a flag: `--no-x` is left out for a switch that is off by default. */
export function flagSpellings({ name, valueType, defaultValue }: Flag): string[] {
  if (valueType !== "nothing") return [`--${name}`];
  if (defaultValue === true) return [`--no-${name}`];
  return defaultValue === false ? [`--${name}`] : [`--${name}`, `--no-${name}`];
}

/** The choices of a flag that need no quoting. */
export const shellSafeChoices = (flag: Flag): string[] =>
  flag.choices.filter((choice) => /^[\w.:+-]+$/.test(choice));

/**
 * The completion table as POSIX shell functions, for bash and zsh. They print one completion per
 * line: the word, a tab, the description.
 */
export function shellLookupFunctions(prefix: string, points: readonly CompletionPoint[]): string {
  const paths = points.map(({ path }) => `'${path}'`).join("|");
  const words = points.map(({ path, words }) => [path, printfCommand(words)] as const);
  const flags = points.map(
    ({ path, flags }) => [path, printfCommand(flagCandidates(flags))] as const,
  );
  const values = points.flatMap(({ path, flags }) => valueBranches(`${path} `, flags));
  return `# True if these words are a command or the start of one.
${prefix}_is_known() {
  case "$1" in ${paths}) return 0 ;; esac
  return 1
}

# Prints the words that may follow these words.
${prefix}_words() {
${shellCase("$1", words)}
}

# Prints the flags that are valid after these words.
${prefix}_flags() {
${shellCase("$1", flags)}
  ${printfCommand(flagCandidates(globalFlags))}
}

# Prints the known values of a flag. Fails for a flag that takes no value.
${prefix}_values() {
${shellCase("$1 $2", values, "; return 0")}
${shellCase("$2", valueBranches("", globalFlags), "; return 0")}
  return 1
}
`;
}

function nextWords(path: string, commands: readonly Command[]): Candidate[] {
  const depth = path === "" ? 0 : path.split(" ").length;
  const offers = new Map<string, string>();
  for (const { spellings, summary } of commands) {
    for (const words of spellings) {
      const next = words[depth];
      if (next === undefined || words.slice(0, depth).join(" ") !== path) continue;
      const ends = words.length === depth + 1;
      const about = ends ? shortSummary(summary, 60) : `commands of ${next}`;
      if (ends || !offers.has(next)) offers.set(next, about);
    }
  }
  return [...offers];
}

const flagCandidates = (flags: readonly Flag[]): Candidate[] =>
  flags.flatMap((flag) =>
    flagSpellings(flag).map(
      (spelling): Candidate => [spelling, shortSummary(flag.description, 60)],
    ),
  );

/**
 * For bash and zsh: updates the command typed so far, the flag that waits for its value, and whether
 * `--` has ended the flags, by the next word.
 */
export const trackTypedWord = (program: string): string => `    case "$word" in
      --) ended=1 ;;
      -*=*) ;;
      -*) if [[ -z "$ended" ]] && _${program}_values "$typed" "$word" >/dev/null; then waiting="$word"; fi ;;
      *)
        longer="\${typed:+$typed }$word"
        if _${program}_is_known "$longer"; then typed="$longer"; fi
        ;;
    esac`;

type Branch = readonly [pattern: string, body: string];

const valueBranches = (before: string, flags: readonly Flag[]): Branch[] =>
  flags
    .filter(({ valueType }) => valueType !== "nothing")
    .flatMap((flag) => {
      const names = [`--${flag.name}`, ...(flag.short ? [`-${flag.short}`] : [])];
      const body = printfCommand(shellSafeChoices(flag).map((choice) => [choice, ""]));
      return names.map((name): Branch => [before + name, body]);
    });

function printfCommand(offers: readonly Candidate[]): string {
  if (offers.length === 0) return ":";
  const lines = offers.map(([word, about]) => shellQuote(about ? `${word}\t${about}` : word));
  return `printf '%s\\n' ${lines.join(" ")}`;
}

/** A `case` statement; patterns with the same body share a branch. */
function shellCase(subject: string, branches: readonly Branch[], ending = ""): string {
  const patternsByBody = new Map<string, string[]>();
  for (const [pattern, body] of branches) {
    patternsByBody.set(body, [...(patternsByBody.get(body) ?? []), `'${pattern}'`]);
  }
  const lines = [...patternsByBody].map(
    ([body, patterns]) => `    ${patterns.join("|")}) ${body}${ending} ;;`,
  );
  return [`  case "${subject}" in`, ...lines, "    *) ;;", "  esac"].join("\n");
}
