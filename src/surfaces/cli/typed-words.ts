import { type Command, nameOf } from "./command.ts";
import type { Flag } from "./flag.ts";
import { type GlobalFlags, globalFlags } from "./global-flags.ts";

/** Values as one would type them: `["--limit", "2", "--read-only"]`. */
export function typedFlags(
  flags: readonly Flag[],
  values: Readonly<Record<string, unknown>>,
): string[] {
  return flags.flatMap((flag) => {
    const value = values[flag.key];
    if (value === undefined || value === flag.fallback) return [];
    if (typeof value === "boolean") return [value ? `--${flag.name}` : `--no-${flag.name}`];
    const list = Array.isArray(value) ? value : [value];
    return list.map(typedValue).flatMap((typed) =>
      // A value that begins with a dash would be taken for a flag if it stood alone.
      typed.startsWith("-") ? [`--${flag.name}=${typed}`] : [`--${flag.name}`, typed],
    );
  });
}

/** A command line that gives this input, quoted for a shell. */
export function typedCommand(
  program: string,
  command: Command,
  input: Readonly<Record<string, unknown>>,
): string {
  const positionals = command.positionals.flatMap(({ key }) => {
    const value = input[key];
    if (value === undefined) return [];
    return (Array.isArray(value) ? value : [value]).map(typedValue);
  });
  const flags = typedFlags(command.flags, input);
  const words = positionals.some((word) => word.startsWith("-"))
    ? [...flags, "--", ...positionals]
    : [...positionals, ...flags];
  return [program, nameOf(command), ...words.map(quoted)].join(" ");
}

const typedValue = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value);

/** A word that a POSIX shell leaves alone stays bare; within single quotes all others are safe. */
export const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** The global flags that another process needs to serve the same: those of one answer are left out. */
export function lastingWords(globals: GlobalFlags): string[] {
  const lasting = [
    "root",
    "forceRoot",
    "shelves",
    "readOnly",
    "listDocuments",
    "resourceErrors",
    "logLevel",
  ];
  return typedFlags(
    globalFlags.filter(({ key }) => lasting.includes(key)),
    globals,
  );
}
