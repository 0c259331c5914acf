import { factsOf } from "../frontmatter.ts";
import { type Manifest, manifest } from "./manifest.ts";

/** What a YAML file says, by the path of its keys; the same reader as for front matter. */
function yamlFacts(text: string): { key: string; value: string }[] {
  const lines = text.split(/\r?\n/).filter((line) => !/^(---|\.\.\.)\s*$/.test(line));
  return factsOf(["---", ...lines, "---"]);
}

/** `pubspec.yaml`; a dependency's value may stand below it, so the names are the keys' second parts. */
export function readPubspec(text: string): Manifest {
  const facts = yamlFacts(text);
  const said = (key: string) => facts.find((fact) => fact.key === key)?.value;
  const under = (section: string): string[] => [
    ...new Set([...keysUnder(facts, section), ...bareKeys(text, section)]),
  ];
  return manifest({
    isPrivate: said("publish_to") === "none",
    name: said("name"),
    version: said("version"),
    description: said("description"),
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

/** The names in a section; what stands below one of them has its path as well. */
const keysUnder = (facts: readonly { key: string }[], section: string): string[] => [
  ...new Set(
    facts.flatMap(({ key }) => (key.startsWith(`${section}.`) ? (key.split(".")[1] ?? []) : [])),
  ),
];

/** Keys of a section that have no value at all, as `path:` where any version will do. */
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
export const readWorkspaceYaml = (text: string): Manifest =>
  manifest({
    isPackage: false,
    members: yamlFacts(text)
      .filter(({ key }) => key === "packages")
      .map(({ value }) => value),
  });

/** `shard.yml`. */
export function readShard(text: string): Manifest {
  const facts = yamlFacts(text);
  return manifest({
    name: facts.find(({ key }) => key === "name")?.value,
    license: facts.find(({ key }) => key === "license")?.value,
    dependencies: keysUnder(facts, "dependencies"),
    devDependencies: keysUnder(facts, "development_dependencies"),
  });
}
