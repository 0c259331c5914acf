import { frontmatterFacts } from "../markdown/frontmatter.ts";
import { createManifest, type Manifest } from "./manifest.ts";

/** YAML values by key path, from the front matter reader. */
function yamlFacts(text: string): { key: string; value: string }[] {
  const lines = text.split(/\r?\n/).filter((line) => !/^(---|\.\.\.)\s*$/.test(line));
  return frontmatterFacts(["---", ...lines, "---"]);
}

/** `pubspec.yaml`: dependency values may be nested, so names are the second part of the keys. */
export function readPubspec(text: string): Manifest {
  const facts = yamlFacts(text);
  const valueAt = (key: string) => facts.find((fact) => fact.key === key)?.value;
  const under = (section: string): string[] => [
    ...new Set([...keysUnder(facts, section), ...bareKeys(text, section)]),
  ];
  return createManifest({
    isPrivate: valueAt("publish_to") === "none",
    name: valueAt("name"),
    version: valueAt("version"),
    description: valueAt("description"),
    dependencies: under("dependencies"),
    devDependencies: under("dev_dependencies"),
    members: facts.filter(({ key }) => key === "workspace").map(({ value }) => value),
    entries: under("executables").map((name) => ({
      kind: "bin",
      name,
      target: `bin/${name}.dart`,
    })),
    tools: /^melos:/m.test(text) ? ["melos"] : [],
  });
}

/** The names in a section, without nested keys. */
const keysUnder = (facts: readonly { key: string }[], section: string): string[] => [
  ...new Set(
    facts.flatMap(({ key }) => (key.startsWith(`${section}.`) ? (key.split(".")[1] ?? []) : [])),
  ),
];

/** Keys of a section without a value, such as `path:` (any version). */
function bareKeys(text: string, section: string): string[] {
  const lines = text.split(/\r?\n/);
  const start = lines.findIndex((line) => line.trimEnd() === `${section}:`);
  if (start < 0) return [];
  const end = lines.findIndex((line, at) => at > start && /^\S/.test(line));
  return lines
    .slice(start + 1, end < 0 ? undefined : end)
    .flatMap((line) => /^ {2}([\w-]+):\s*$/.exec(line)?.[1] ?? []);
}

/** The patterns of `pnpm-workspace.yaml` and `melos.yaml`. */
export const readYamlWorkspace = (text: string): Manifest =>
  createManifest({
    isPackage: false,
    members: yamlFacts(text)
      .filter(({ key }) => key === "packages")
      .map(({ value }) => value),
  });

/** `shard.yml`. */
export function readShard(text: string): Manifest {
  const facts = yamlFacts(text);
  return createManifest({
    name: facts.find(({ key }) => key === "name")?.value,
    license: facts.find(({ key }) => key === "license")?.value,
    dependencies: keysUnder(facts, "dependencies"),
    devDependencies: keysUnder(facts, "development_dependencies"),
  });
}
