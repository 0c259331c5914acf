import type { Boundary } from "../../../kernel/paths/boundary.ts";
import { asJsonObject, tryParseJson } from "../../../text/formats/json-value.ts";
import { parseToml, tomlValue } from "../../../text/manifests/toml.ts";
import { readRepositoryText } from "./file-text.ts";

/** A tool version that the repository requires. */
export interface DeclaredVersion {
  tool: string;
  version: string;
  source: string;
}

/** The tool versions required by manifests in the root of a repository. */
export function listDeclaredVersions(boundary: Boundary, root: string): DeclaredVersion[] {
  const read = (file: string) => readRepositoryText(boundary, root, file) ?? "";
  const toml = (file: string, ...keys: string[]) => tomlValue(parseToml(read(file)), ...keys);
  const declared: [tool: string, version: unknown, source: string][] = [
    ...Object.entries(packageEngines(read("package.json"))).map(
      ([tool, version]): [string, unknown, string] => [tool, version, "package.json"],
    ),
    ["Python", toml("pyproject.toml", "project", "requires-python"), "pyproject.toml"],
    ["Rust", toml("Cargo.toml", "package", "rust-version"), "Cargo.toml"],
    ["Go", /^go\s+(\d[\w.]*)/m.exec(read("go.mod"))?.[1], "go.mod"],
    ["Ruby", /^(?:ruby-)?(\d[\w.]*)/.exec(read(".ruby-version"))?.[1], ".ruby-version"],
  ];
  return declared.flatMap(([tool, version, source]) =>
    typeof version === "string" && version !== "" ? [{ tool, version, source }] : [],
  );
}

const packageEngines = (manifest: string): Record<string, unknown> =>
  asJsonObject(asJsonObject(tryParseJson(manifest)).engines);
