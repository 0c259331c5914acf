import type { Boundary } from "../../kernel/boundary.ts";
import { objectIn, parsedJson } from "../../text/json-value.ts";
import { readToml, tomlAt } from "../../text/manifests/toml.ts";
import { textOf } from "./file-text.ts";

/** A version of a tool that the repository asks for. */
export interface FoundVersion {
  tool: string;
  version: string;
  source: string;
}

/** What manifests in the root of a repository say about the tools that they need. */
export function versionsIn(boundary: Boundary, root: string): FoundVersion[] {
  const read = (file: string) => textOf(boundary, root, file) ?? "";
  const toml = (file: string, ...keys: string[]) => tomlAt(readToml(read(file)), ...keys);
  const found: [tool: string, version: unknown, source: string][] = [
    ...Object.entries(enginesIn(read("package.json"))).map(
      ([tool, version]): [string, unknown, string] => [tool, version, "package.json"],
    ),
    ["Python", toml("pyproject.toml", "project", "requires-python"), "pyproject.toml"],
    ["Rust", toml("Cargo.toml", "package", "rust-version"), "Cargo.toml"],
    ["Go", /^go\s+(\d[\w.]*)/m.exec(read("go.mod"))?.[1], "go.mod"],
    ["Ruby", /^(?:ruby-)?(\d[\w.]*)/.exec(read(".ruby-version"))?.[1], ".ruby-version"],
  ];
  return found.flatMap(([tool, version, source]) =>
    typeof version === "string" && version !== "" ? [{ tool, version, source }] : [],
  );
}

const enginesIn = (manifest: string): Record<string, unknown> =>
  objectIn(objectIn(parsedJson(manifest)).engines);
