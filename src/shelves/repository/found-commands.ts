import type { Boundary } from "../../kernel/boundary.ts";
import { objectIn, parsedJson } from "../../text/json-value.ts";
import { linesOf } from "../../text/lines.ts";
import { readToml, tomlTable } from "../../text/manifests/toml.ts";
import { textOf } from "./file-text.ts";

/** A command that the repository itself declares. */
export interface FoundCommand {
  /** What a person types. */
  command: string;
  /** What it does, where the file says so. */
  runs?: string;
  /** The file that declares it. */
  source: string;
}

/** What people can run in the root of a repository: scripts, targets and programs. */
export function commandsIn(
  boundary: Boundary,
  root: string,
  packageManager = "npm",
): FoundCommand[] {
  const read = (file: string) => textOf(boundary, root, file) ?? "";
  return [
    ...scriptsIn(read("package.json")).map(([name, runs]) => ({
      command: `${packageManager} run ${name}`,
      runs,
      source: "package.json",
    })),
    ...makeTargets(read("Makefile")).map((name) => ({
      command: `make ${name}`,
      source: "Makefile",
    })),
    ...Object.entries(tomlTable(readToml(read("pyproject.toml")), "project", "scripts")).map(
      ([command, runs]) => ({
        command,
        ...(typeof runs === "string" && { runs }),
        source: "pyproject.toml",
      }),
    ),
  ];
}

function scriptsIn(manifest: string): [name: string, runs: string][] {
  const { scripts } = objectIn(parsedJson(manifest));
  return Object.entries(objectIn(scripts)).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
}

/** Targets with a plain name; patterns, variables and make's own are none that people type. */
const makeTargets = (makefile: string): string[] => [
  ...new Set(
    linesOf(makefile).flatMap(
      (line) => /^([A-Za-z0-9][\w-]{0,60})\s*:(?![:=])/.exec(line)?.[1] ?? [],
    ),
  ),
];
