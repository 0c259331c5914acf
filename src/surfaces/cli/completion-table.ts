import { type Command, isSpelled } from "./command.ts";
import type { Flag } from "./flag.ts";
import { globalFlags } from "./global-flags.ts";
import { oneLine } from "./page.ts";
import { quoted } from "./typed-words.ts";

/** Something that can be typed next, and what it means. */
type Offer = readonly [word: string, about: string];

/** Every place in a command line, by the words typed so far: `""`, `"collection"`, `"collection add"`. */
export interface Place {
  readonly path: string;
  /** Words that lead on, or the values of a positional that has only some. */
  readonly words: readonly Offer[];
  /** The flags of this place alone; global ones are offered everywhere. */
  readonly flags: readonly Flag[];
}

export function placesOf(commands: readonly Command[]): Place[] {
  const paths = new Set([""]);
  for (const words of commands.flatMap(({ spellings }) => spellings)) {
    for (const at of words.keys()) paths.add(words.slice(0, at + 1).join(" "));
  }
  return [...paths].map((path) => {
    const command = commands.find((known) => isSpelled(known, path.split(" ")));
    const values = command?.positionals[0] ? plainChoices(command.positionals[0]) : [];
    return {
      path,
      words: [...leadingOn(path, commands), ...values.map((value): Offer => [value, ""])],
      flags: command ? [...command.flags, ...command.answerFlags] : [],
    };
  });
}

/** The spellings of a flag that are worth offering: a switch that is off need not be turned off. */
export function spellings({ name, takes, fallback }: Flag): string[] {
  if (takes !== "nothing") return [`--${name}`];
  if (fallback === true) return [`--no-${name}`];
  return fallback === false ? [`--${name}`] : [`--${name}`, `--no-${name}`];
}

/** The values of a flag that a shell can take for single words. */
export const plainChoices = (flag: Flag): string[] =>
  flag.choices.filter((choice) => /^[\w.:+-]+$/.test(choice));

/**
 * The table as functions of a POSIX shell, which bash and zsh both read. Offers are printed a
 * line each, the word and its meaning parted by a tab.
 */
export function lookups(prefix: string, places: readonly Place[]): string {
  const paths = places.map(({ path }) => `'${path}'`).join("|");
  const words = places.map(({ path, words }) => [path, printing(words)] as const);
  const flags = places.map(({ path, flags }) => [path, printing(offersOf(flags))] as const);
  const values = places.flatMap(({ path, flags }) => valueBranches(`${path} `, flags));
  return `# True where these words lead to a command or are one.
${prefix}_is_known() {
  case "$1" in ${paths}) return 0 ;; esac
  return 1
}

# Prints what may follow these words.
${prefix}_words() {
${shellCase("$1", words)}
}

# Prints the flags that may stand behind these words.
${prefix}_flags() {
${shellCase("$1", flags)}
  ${printing(offersOf(globalFlags))}
}

# Prints the values of a flag that takes one, if they are known; fails for a flag that takes none.
${prefix}_values() {
${shellCase("$1 $2", values, "; return 0")}
${shellCase("$2", valueBranches("", globalFlags), "; return 0")}
  return 1
}
`;
}

function leadingOn(path: string, commands: readonly Command[]): Offer[] {
  const depth = path === "" ? 0 : path.split(" ").length;
  const offers = new Map<string, string>();
  for (const { spellings, summary } of commands) {
    for (const words of spellings) {
      const next = words[depth];
      if (next === undefined || words.slice(0, depth).join(" ") !== path) continue;
      const ends = words.length === depth + 1;
      const about = ends ? oneLine(summary, 60) : `commands of ${next}`;
      if (ends || !offers.has(next)) offers.set(next, about);
    }
  }
  return [...offers];
}

const offersOf = (flags: readonly Flag[]): Offer[] =>
  flags.flatMap((flag) =>
    spellings(flag).map((spelling): Offer => [spelling, oneLine(flag.about, 60)]),
  );

type Branch = readonly [pattern: string, deed: string];

const valueBranches = (before: string, flags: readonly Flag[]): Branch[] =>
  flags
    .filter(({ takes }) => takes !== "nothing")
    .flatMap((flag) => {
      const names = [`--${flag.name}`, ...(flag.short ? [`-${flag.short}`] : [])];
      const deed = printing(plainChoices(flag).map((choice) => [choice, ""]));
      return names.map((name): Branch => [before + name, deed]);
    });

function printing(offers: readonly Offer[]): string {
  if (offers.length === 0) return ":";
  const lines = offers.map(([word, about]) => quoted(about ? `${word}\t${about}` : word));
  return `printf '%s\\n' ${lines.join(" ")}`;
}

/** Patterns that do the same share a branch. */
function shellCase(subject: string, branches: readonly Branch[], ending = ""): string {
  const byDeed = new Map<string, string[]>();
  for (const [pattern, deed] of branches) {
    byDeed.set(deed, [...(byDeed.get(deed) ?? []), `'${pattern}'`]);
  }
  const lines = [...byDeed].map(
    ([deed, patterns]) => `    ${patterns.join("|")}) ${deed}${ending} ;;`,
  );
  return [`  case "${subject}" in`, ...lines, "    *) ;;", "  esac"].join("\n");
}
