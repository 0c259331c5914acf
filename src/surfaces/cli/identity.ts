import type { Identity } from "../../kernel/library.ts";
import type { AnyShelf } from "../../kernel/shelf.ts";

/** The names of the one program; `documcp` is no command, but how `dist/index.js` starts it. */
export type ProgramName = "lectern" | "qmd" | "qmdc" | "documcp";

/**
 * `qmd`, `qmdc` and `documcp` are drop-in names of three shelves: each shows its own shelf, and the
 * desk that serves all. An explicit `--shelves` goes before the name.
 */
export function shelvesOf(
  program: ProgramName,
  shelves: readonly AnyShelf[],
): string[] | undefined {
  const own = { lectern: undefined, qmd: "search", qmdc: "objects", documcp: "repository" }[
    program
  ];
  if (own === undefined) return undefined;
  return shelves.map(({ name }) => name).filter((name) => name === own || name === "desk");
}

/** How the program introduces itself to clients, as the founding documents of its shelves ask. */
export function identityOf(
  program: ProgramName,
  version: string,
  shelves: readonly string[] | undefined,
): Identity {
  if (program === "qmd") return { name: "qmd", title: "QMD", version: versionOf(program, version) };
  if (program === "qmdc") return { name: "qmdc", title: "QMDC", version };
  const alone = shelves?.length === 1 && shelves[0] === "repository";
  return alone || program === "documcp"
    ? { name: "documcp", title: "DocuMCP", version: versionOf("documcp", version) }
    : { name: "lectern", title: "Lectern", version };
}

/** Clients of `qmd` and `documcp` know their version as 1.0.0; the other names carry ours. */
export const versionOf = (program: ProgramName, version: string): string =>
  program === "qmd" || program === "documcp" ? "1.0.0" : version;
