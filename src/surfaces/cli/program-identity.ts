import type { Identity } from "../../kernel/runtime/app.ts";
import type { AnyShelf } from "../../kernel/shelf.ts";

/** The names under which the program runs. `documcp` has no command: `dist/index.js` uses it. */
export type ProgramName = "lectern" | "qmd" | "qmdc" | "documcp";

/**
 * The default of `--shelves`. `qmd`, `qmdc` and `documcp` are drop-in replacements for three
 * programs: each enables one shelf, and the review shelf that serves all of them.
 */
export function shelvesOfProgram(
  program: ProgramName,
  shelves: readonly AnyShelf[],
): string[] | undefined {
  const shelf = { lectern: undefined, qmd: "search", qmdc: "objects", documcp: "repository" }[
    program
  ];
  if (shelf === undefined) return undefined;
  return shelves.map(({ name }) => name).filter((name) => name === shelf || name === "review");
}

/** The server name and version for clients, as the founding documents of the shelves require. */
export function identityOfProgram(
  program: ProgramName,
  version: string,
  shelves: readonly string[] | undefined,
): Identity {
  if (program === "qmd")
    return { name: "qmd", title: "QMD", version: versionOfProgram(program, version) };
  if (program === "qmdc") return { name: "qmdc", title: "QMDC", version };
  const alone = shelves?.length === 1 && shelves[0] === "repository";
  return alone || program === "documcp"
    ? { name: "documcp", title: "DocuMCP", version: versionOfProgram("documcp", version) }
    : { name: "lectern", title: "Lectern", version };
}

/**
 * Messages that the founding document of search prescribes name the command `qmd`. Users of
 * `lectern` may have another program of that name, so the messages name `lectern` instead.
 */
export const nameProgram = (message: string, program: string): string =>
  program === "lectern" ? message.replaceAll("'qmd ", "'lectern ") : message;

/** `qmd` and `documcp` report 1.0.0, which their clients expect; other names report our version. */
export const versionOfProgram = (program: ProgramName, version: string): string =>
  program === "qmd" || program === "documcp" ? "1.0.0" : version;
