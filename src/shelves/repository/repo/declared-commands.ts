import type { Boundary } from "../../../kernel/paths/boundary.ts";
import { asJsonObject, tryParseJson } from "../../../text/formats/json-value.ts";
import { parseToml, tomlTable } from "../../../text/manifests/toml.ts";
import { splitLines } from "../../../text/strings/lines.ts";
import { readRepositoryText } from "./file-text.ts";

/** A command declared in the repository. */
export interface DeclaredCommand {
  /** The command line. */
  command: string;
  /** The command that it runs, if declared. */
  runs?: string;
  /** The file that declares it. */
  source: string;
}

/** The commands that can be run in the root of a repository: scripts, make targets and programs. */
export function listDeclaredCommands(
  boundary: Boundary,
  root: string,
  packageManager = "npm",
): DeclaredCommand[] {
  const read = (file: string) => readRepositoryText(boundary, root, file) ?? "";
  return [
    ...packageScripts(read("package.json")).map(([name, runs]) => ({
      command: `${packageManager} run ${name}`,
      runs,
      source: "package.json",
    })),
    ...makeTargets(read("Makefile")).map((name) => ({
      command: `make ${name}`,
      source: "Makefile",
    })),
    ...Object.entries(tomlTable(parseToml(read("pyproject.toml")), "project", "scripts")).map(
      ([command, runs]) => ({
        command,
        ...(typeof runs === "string" && { runs }),
        source: "pyproject.toml",
      }),
    ),
  ];
}

/** The scripts of a package.json. */
export function packageScripts(manifest: string): [name: string, command: string][] {
  const { scripts } = asJsonObject(tryParseJson(manifest));
  return Object.entries(asJsonObject(scripts)).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
}

/** Targets with plain names; excludes pattern rules, variables and special targets. */
const makeTargets = (makefile: string): string[] => [
  ...new Set(
    splitLines(makefile).flatMap(
      (line) => /^([A-Za-z0-9][\w-]{0,60})\s*:(?![:=])/.exec(line)?.[1] ?? [],
    ),
  ),
];
