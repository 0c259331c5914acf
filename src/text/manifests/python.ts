import {
  allMatches,
  type Entry,
  firstMatch,
  type Manifest,
  manifest,
  shortLines,
} from "./manifest.ts";
import { readToml, type Toml, tomlAt, tomlTable, tomlText, tomlTexts } from "./toml.ts";

export function readPyproject(text: string): Manifest {
  const toml = readToml(text);
  const project = tomlTable(toml, "project");
  const poetry = tomlTable(toml, "tool", "poetry");
  const classifiers = [...tomlTexts(project, "classifiers"), ...tomlTexts(poetry, "classifiers")];
  const license =
    tomlText(project, "license") ??
    tomlText(project, "license", "text") ??
    tomlText(poetry, "license") ??
    classifiers.find((line) => line.startsWith("License ::"));
  const poetryNeeds = Object.keys(tomlTable(poetry, "dependencies"));
  const groups = Object.values(tomlTable(poetry, "group"));
  const dev: string[] = [
    ...requirementsIn(tomlTable(toml, "dependency-groups")),
    ...requirementsIn(tomlTable(project, "optional-dependencies")),
    ...requirementsIn(tomlTable(toml, "tool", "pdm", "dev-dependencies")),
    ...tomlTexts(toml, "tool", "uv", "dev-dependencies").map(requirementName),
    ...Object.values(tomlTable(toml, "tool", "hatch", "envs")).flatMap((env) =>
      tomlTexts(env, "dependencies").map(requirementName),
    ),
    ...Object.keys(tomlTable(poetry, "dev-dependencies")),
    ...groups.flatMap((group) => Object.keys(tomlTable(group, "dependencies"))),
  ];
  const scripts = [tomlTable(project, "scripts"), tomlTable(poetry, "scripts")];
  const name = tomlText(project, "name") ?? tomlText(poetry, "name");
  // Both tools also keep the packages of what is never built.
  const isUnbuilt =
    tomlAt(poetry, "package-mode") === false || tomlAt(toml, "tool", "uv", "package") === false;
  return manifest({
    isPackage: name !== undefined && !isUnbuilt,
    isPrivate: isWithheld(classifiers),
    name,
    version: tomlText(project, "version") ?? tomlText(poetry, "version"),
    description: tomlText(project, "description") ?? tomlText(poetry, "description"),
    license,
    dependencies: [
      ...tomlTexts(project, "dependencies").map(requirementName),
      ...poetryNeeds.filter((name) => name !== "python"),
    ],
    devDependencies: [...new Set(dev)],
    members: tomlTexts(toml, "tool", "uv", "workspace", "members"),
    excluded: tomlTexts(toml, "tool", "uv", "workspace", "exclude"),
    entries: scripts.flatMap((table) =>
      Object.entries(table).flatMap(([name, target]) =>
        typeof target === "string" ? [{ kind: "bin" as const, name, target }] : [],
      ),
    ),
    tools: [...Object.keys(tomlTable(toml, "tool")), ...meant(classifiers)],
    buildBackend: backendOf(tomlText(toml, "build-system", "build-backend")),
  });
}

/** The index of packages refuses what says so. */
const isWithheld = (classifiers: readonly string[]): boolean =>
  classifiers.some((line) => line.startsWith("Private ::"));

/**
 * Libraries declare commands too, so only its author's own words tell a program: it is for the
 * console, and no library.
 */
const meant = (classifiers: readonly string[]): string[] =>
  classifiers.includes("Environment :: Console") &&
  !classifiers.some((line) => line.startsWith("Topic :: Software Development :: Libraries"))
    ? ["console program"]
    : [];

/** `flit_core.buildapi` is of the package `flit_core`; two of them have a name of two words. */
function backendOf(module: string | undefined): string | undefined {
  const [first, second] = (module ?? "").split(".");
  if (!first) return undefined;
  return second === "core" || second === "backend" ? `${first}-${second}` : first;
}

/** Every group's requirements; a group may also name another, which is no requirement. */
const requirementsIn = (groups: Record<string, Toml>): string[] =>
  Object.keys(groups).flatMap((name) => tomlTexts(groups, name).map(requirementName));

/** `Django>=4.2; python_version > "3.8"` is about `django`. */
const requirementName = (line: string): string =>
  (/^\s*([A-Za-z0-9][\w.-]*)/.exec(line)?.[1] ?? "").toLowerCase().replaceAll("_", "-");

export const readRequirements = (text: string): Manifest =>
  manifest({ isPackage: false, dependencies: namesIn(text) });

export const readDevRequirements = (text: string): Manifest =>
  manifest({ isPackage: false, devDependencies: namesIn(text) });

const namesIn = (text: string): string[] =>
  shortLines(text)
    .filter((line) => !/^\s*(#|-|$)/.test(line))
    .map(requirementName)
    .filter((name) => name !== "");

/** What a program in Python says cannot be known without running it; plain lists can be read. */
export function readSetupPy(text: string): Manifest {
  const lines = shortLines(text);
  const classifiers = allMatches(lines, /["']((?:Environment|Topic|Private) :: [^"']+)["']/);
  const named = (start: RegExp): string[] =>
    quotedAfter(lines, start)
      .map(requirementName)
      .filter((name) => name !== "");
  return manifest({
    isPrivate: isWithheld(classifiers),
    name: firstMatch(lines, /\bname\s*=\s*["']([^"']+)["']/),
    version: firstMatch(lines, /\bversion\s*=\s*["']([^"']+)["']/),
    license:
      firstMatch(lines, /\blicense\s*=\s*["']([^"']+)["']/) ??
      firstMatch(lines, /["'](License :: [^"']+)["']/),
    dependencies: named(/\b(install_requires|requires)\s*=\s*\[/),
    devDependencies: named(/\b(tests_require|extras_require)\s*=\s*[[{]/),
    entries: quotedAfter(lines, /["']?\bconsole_scripts["']?\s*[:=]\s*\[/).flatMap(scriptOf),
    tools: meant(classifiers),
  });
}

/** The quoted words from a line on, until the list is closed. */
function quotedAfter(lines: readonly string[], start: RegExp): string[] {
  const first = lines.findIndex((line) => start.test(line));
  if (first < 0) return [];
  const words: string[] = [];
  for (const line of lines.slice(first, first + 200)) {
    const rest = line.replace(start, "");
    const quoted = rest.match(/["'][^"']+["']/g) ?? [];
    words.push(...quoted.map((word) => word.slice(1, -1)));
    if (/^[^"']*[\]}]|["']\s*,?\s*[\]}]/.test(rest)) break;
  }
  return words;
}

/** `lamp = lamp.cli:main` is a command and where it begins. */
function scriptOf(line: string): Entry[] {
  const [, name, target] = /^\s*([\w.-]+)\s*=\s*([\w.:]+)/.exec(line) ?? [];
  return name === undefined || target === undefined ? [] : [{ kind: "bin", name, target }];
}

/** A list of sections with keys; values go on in indented lines. */
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
  const said = (name: string): string | undefined => values.get(name)?.[0];
  const classifiers = values.get("metadata.classifiers") ?? [];
  return manifest({
    isPackage: values.has("metadata.name"),
    isPrivate: isWithheld(classifiers),
    name: said("metadata.name"),
    version: said("metadata.version"),
    license: said("metadata.license"),
    dependencies: (values.get("options.install_requires") ?? [])
      .map(requirementName)
      .filter((name) => name !== ""),
    entries: (values.get("options.entry_points.console_scripts") ?? []).flatMap(scriptOf),
    tools: [...sections.map((name) => name.replace(/^tool:/, "")), ...meant(classifiers)],
  });
}

export function readPipfile(text: string): Manifest {
  const toml = readToml(text);
  return manifest({
    isPackage: false,
    dependencies: Object.keys(tomlTable(toml, "packages")),
    devDependencies: Object.keys(tomlTable(toml, "dev-packages")),
  });
}
