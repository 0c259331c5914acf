import {
  allMatches,
  createManifest,
  firstMatch,
  type Manifest,
  type ManifestEntry,
  shortLines,
} from "./manifest.ts";
import { parseToml, type TomlNode, tomlString, tomlStrings, tomlTable, tomlValue } from "./toml.ts";

export function readPyproject(text: string): Manifest {
  const toml = parseToml(text);
  const project = tomlTable(toml, "project");
  const poetry = tomlTable(toml, "tool", "poetry");
  const classifiers = [
    ...tomlStrings(project, "classifiers"),
    ...tomlStrings(poetry, "classifiers"),
  ];
  const license =
    tomlString(project, "license") ??
    tomlString(project, "license", "text") ??
    tomlString(poetry, "license") ??
    classifiers.find((line) => line.startsWith("License ::"));
  const poetryNeeds = Object.keys(tomlTable(poetry, "dependencies"));
  const groups = Object.values(tomlTable(poetry, "group"));
  const dev: string[] = [
    ...requirementsIn(tomlTable(toml, "dependency-groups")),
    ...requirementsIn(tomlTable(project, "optional-dependencies")),
    ...requirementsIn(tomlTable(toml, "tool", "pdm", "dev-dependencies")),
    ...tomlStrings(toml, "tool", "uv", "dev-dependencies").map(requirementName),
    ...Object.values(tomlTable(toml, "tool", "hatch", "envs")).flatMap((env) =>
      tomlStrings(env, "dependencies").map(requirementName),
    ),
    ...Object.keys(tomlTable(poetry, "dev-dependencies")),
    ...groups.flatMap((group) => Object.keys(tomlTable(group, "dependencies"))),
  ];
  const scripts = [tomlTable(project, "scripts"), tomlTable(poetry, "scripts")];
  const name = tomlString(project, "name") ?? tomlString(poetry, "name");
  // Both tools also manage projects that are never built.
  const isUnbuilt =
    tomlValue(poetry, "package-mode") === false ||
    tomlValue(toml, "tool", "uv", "package") === false;
  return createManifest({
    isPackage: name !== undefined && !isUnbuilt,
    isPrivate: isUnpublishable(classifiers),
    name,
    version: tomlString(project, "version") ?? tomlString(poetry, "version"),
    description: tomlString(project, "description") ?? tomlString(poetry, "description"),
    license,
    dependencies: [
      ...tomlStrings(project, "dependencies").map(requirementName),
      ...poetryNeeds.filter((name) => name !== "python"),
    ],
    devDependencies: [...new Set(dev)],
    members: tomlStrings(toml, "tool", "uv", "workspace", "members"),
    excluded: tomlStrings(toml, "tool", "uv", "workspace", "exclude"),
    entries: scripts.flatMap((table) =>
      Object.entries(table).flatMap(([name, target]) =>
        typeof target === "string" ? [{ kind: "bin" as const, name, target }] : [],
      ),
    ),
    tools: [...Object.keys(tomlTable(toml, "tool")), ...toolsOfClassifiers(classifiers)],
    buildBackend: buildBackendOf(tomlString(toml, "build-system", "build-backend")),
  });
}

/** PyPI rejects packages with this classifier. */
const isUnpublishable = (classifiers: readonly string[]): boolean =>
  classifiers.some((line) => line.startsWith("Private ::"));

/**
 * Libraries declare commands, too, so only classifiers identify a console application: "Console"
 * without "Libraries".
 */
const toolsOfClassifiers = (classifiers: readonly string[]): string[] =>
  classifiers.includes("Environment :: Console") &&
  !classifiers.some((line) => line.startsWith("Topic :: Software Development :: Libraries"))
    ? ["console program"]
    : [];

/** `flit_core.buildapi` belongs to `flit_core`; two backends have a two-part name. */
function buildBackendOf(module: string | undefined): string | undefined {
  const [first, second] = (module ?? "").split(".");
  if (!first) return undefined;
  return second === "core" || second === "backend" ? `${first}-${second}` : first;
}

/** The requirements of all groups; includes of other groups are skipped. */
const requirementsIn = (groups: Record<string, TomlNode>): string[] =>
  Object.keys(groups).flatMap((name) => tomlStrings(groups, name).map(requirementName));

/** `Django>=4.2; python_version > "3.8"` requires `django`. */
const requirementName = (line: string): string =>
  (/^\s*([A-Za-z0-9][\w.-]*)/.exec(line)?.[1] ?? "").toLowerCase().replaceAll("_", "-");

export const readRequirements = (text: string): Manifest =>
  createManifest({ isPackage: false, dependencies: namesIn(text) });

export const readDevRequirements = (text: string): Manifest =>
  createManifest({ isPackage: false, devDependencies: namesIn(text) });

const namesIn = (text: string): string[] =>
  shortLines(text)
    .filter((line) => !/^\s*(#|-|$)/.test(line))
    .map(requirementName)
    .filter((name) => name !== "");

/** `setup.py` cannot be evaluated without running it, but plain lists can be read. */
export function readSetupPy(text: string): Manifest {
  const lines = shortLines(text);
  const classifiers = allMatches(lines, /["']((?:Environment|Topic|Private) :: [^"']+)["']/);
  const named = (start: RegExp): string[] =>
    quotedWordsAfter(lines, start)
      .map(requirementName)
      .filter((name) => name !== "");
  return createManifest({
    isPrivate: isUnpublishable(classifiers),
    name: firstMatch(lines, /\bname\s*=\s*["']([^"']+)["']/),
    version: firstMatch(lines, /\bversion\s*=\s*["']([^"']+)["']/),
    license:
      firstMatch(lines, /\blicense\s*=\s*["']([^"']+)["']/) ??
      firstMatch(lines, /["'](License :: [^"']+)["']/),
    dependencies: named(/\b(install_requires|requires)\s*=\s*\[/),
    devDependencies: named(/\b(tests_require|extras_require)\s*=\s*[[{]/),
    entries: quotedWordsAfter(lines, /["']?\bconsole_scripts["']?\s*[:=]\s*\[/).flatMap(
      parseScriptEntry,
    ),
    tools: toolsOfClassifiers(classifiers),
  });
}

/** The quoted strings from a line on, until the list is closed. */
function quotedWordsAfter(lines: readonly string[], start: RegExp): string[] {
  const first = lines.findIndex((line) => start.test(line));
  if (first < 0) return [];
  const strings: string[] = [];
  for (const line of lines.slice(first, first + 200)) {
    const rest = line.replace(start, "");
    const quoted = rest.match(/["'][^"']+["']/g) ?? [];
    strings.push(...quoted.map((word) => word.slice(1, -1)));
    if (/^[^"']*[\]}]|["']\s*,?\s*[\]}]/.test(rest)) break;
  }
  return strings;
}

/** `lamp = lamp.cli:main`: a command and its entry point. */
function parseScriptEntry(line: string): ManifestEntry[] {
  const [, name, target] = /^\s*([\w.-]+)\s*=\s*([\w.:]+)/.exec(line) ?? [];
  return name === undefined || target === undefined ? [] : [{ kind: "bin", name, target }];
}

/** Parses INI sections; indented lines continue a value. */
export function readSetupCfg(text: string): Manifest {
  const values = new Map<string, string[]>();
  const sections: string[] = [];
  let [section, key] = ["", ""];
  for (const line of shortLines(text)) {
    const heading = /^\[([^\]]+)\]/.exec(line)?.[1];
    const assigned = /^([\w.-]+)\s*[=:]\s*(.*)$/.exec(line);
    if (heading !== undefined) {
      section = heading;
      sections.push(heading);
    } else if (assigned) {
      key = `${section}.${assigned[1]}`;
      values.set(key, assigned[2] ? [assigned[2]] : []);
    } else if (/^\s+\S/.test(line)) values.get(key)?.push(line.trim());
  }
  const valueAt = (name: string): string | undefined => values.get(name)?.[0];
  const classifiers = values.get("metadata.classifiers") ?? [];
  return createManifest({
    isPackage: values.has("metadata.name"),
    isPrivate: isUnpublishable(classifiers),
    name: valueAt("metadata.name"),
    version: valueAt("metadata.version"),
    license: valueAt("metadata.license"),
    dependencies: (values.get("options.install_requires") ?? [])
      .map(requirementName)
      .filter((name) => name !== ""),
    entries: (values.get("options.entry_points.console_scripts") ?? []).flatMap(parseScriptEntry),
    tools: [
      ...sections.map((name) => name.replace(/^tool:/, "")),
      ...toolsOfClassifiers(classifiers),
    ],
  });
}

export function readPipfile(text: string): Manifest {
  const toml = parseToml(text);
  return createManifest({
    isPackage: false,
    dependencies: Object.keys(tomlTable(toml, "packages")),
    devDependencies: Object.keys(tomlTable(toml, "dev-packages")),
  });
}
