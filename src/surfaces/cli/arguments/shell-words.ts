import { type Command, fullCommandName } from "../command.ts";
import type { Flag } from "./flag.ts";
import { type GlobalFlags, globalFlags } from "./global-flags.ts";

/** Flag values as arguments of a command line: `["--limit", "2", "--read-only"]`. */
export function flagWords(
  flags: readonly Flag[],
  values: Readonly<Record<string, unknown>>,
): string[] {
  return flags.flatMap((flag) => {
    const value = values[flag.key];
    if (value === undefined || value === flag.defaultValue) return [];
    if (typeof value === "boolean") return [value ? `--${flag.name}` : `--no-${flag.name}`];
    const list = Array.isArray(value) ? value : [value];
    return list.map(valueWord).flatMap((typed) =>
      // A separate value that begins with a dash would be parsed as a flag.
      typed.startsWith("-") ? [`--${flag.name}=${typed}`] : [`--${flag.name}`, typed],
    );
  });
}

/** The command line for this input, quoted for a shell. */
export function exampleCommandLine(
  program: string,
  command: Command,
  input: Readonly<Record<string, unknown>>,
): string {
  const positionals = command.positionals.flatMap(({ key }) => {
    const value = input[key];
    if (value === undefined) return [];
    return (Array.isArray(value) ? value : [value]).map(valueWord);
  });
  const flags = flagWords(command.flags, input);
  const words = positionals.some((word) => word.startsWith("-"))
    ? [...flags, "--", ...positionals]
    : [...positionals, ...flags];
  return [program, fullCommandName(command), ...words.map(shellQuote)].join(" ");
}

const valueWord = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value);

/** Quotes a word for a POSIX shell if it contains special characters. */
export const shellQuote = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** The global flags that configure a server; flags that only affect output are left out. */
export function serverFlagWords(globals: GlobalFlags): string[] {
  const serverKeys = [
    "root",
    "forceRoot",
    "shelves",
    "readOnly",
    "listDocuments",
    "resourceErrors",
    "logLevel",
  ];
  return flagWords(
    globalFlags.filter(({ key }) => serverKeys.includes(key)),
    globals,
  );
}
