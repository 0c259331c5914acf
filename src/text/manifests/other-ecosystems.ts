import { allMatches, createManifest, firstMatch, type Manifest, shortLines } from "./manifest.ts";
import { parseToml, tomlString, tomlTable } from "./toml.ts";

export function readCMake(text: string): Manifest {
  const lines = shortLines(text);
  return createManifest({
    name: firstMatch(lines, /^\s*project\s*\(\s*"?([\w.+-]+)/i),
    version: firstMatch(lines, /\bVERSION\s+"?(\d[\w.]*)/),
    dependencies: allMatches(lines, /^\s*find_package\s*\(\s*([\w.+-]+)/i),
    devDependencies: allMatches(lines, /^\s*FetchContent_Declare\s*\(\s*([\w.+-]+)/i),
    tools: [
      ...(lines.some((line) => /^\s*(enable_testing|add_test|include\s*\(\s*CTest)\b/i.test(line))
        ? ["ctest"]
        : []),
      ...allMatches(lines, /^\s*(add_library|add_executable)\s*\(/),
    ],
  });
}

export function readMeson(text: string): Manifest {
  const lines = shortLines(text);
  return createManifest({
    name: firstMatch(lines, /^\s*project\s*\(\s*'([^']+)'/),
    license: firstMatch(lines, /\blicense\s*:\s*\[?\s*'([^']+)'/),
    dependencies: allMatches(lines, /\bdependency\s*\(\s*'([^']+)'/),
    tools: lines.some((line) => /^\s*test\s*\(/.test(line)) ? ["meson test"] : [],
  });
}

export function readConan(text: string): Manifest {
  const lines = shortLines(text);
  return createManifest({
    dependencies: allMatches(
      lines,
      /^\s*(?:requires\s*=\s*|self\.requires\()?\(?["']?([\w.+-]+)\/[\d[]/,
    ),
  });
}

/** `Package.swift` is a Swift program; dependencies are given as URLs. */
export function readPackageSwift(text: string): Manifest {
  const lines = shortLines(text);
  const addresses = lines.flatMap((line) => line.match(/\.package\([^)]*url:\s*"[^"]+"/g) ?? []);
  return createManifest({
    name: firstMatch(lines, /\bname:\s*"([^"]+)"/),
    dependencies: addresses.map((found) =>
      found.slice(found.lastIndexOf("/") + 1, -1).replace(/\.git$/, ""),
    ),
    tools: [
      ...(lines.some((line) => line.includes(".testTarget(")) ? ["testTarget"] : []),
      ...(lines.some((line) => line.includes(".library(")) ? ["library"] : []),
    ],
  });
}

export function readCabal(text: string): Manifest {
  const lines = shortLines(text);
  return createManifest({
    name: firstMatch(lines, /^name:\s*(\S+)/i),
    version: firstMatch(lines, /^version:\s*(\S+)/i),
    license: firstMatch(lines, /^license:\s*(\S+)/i),
    dependencies: lines.flatMap((line) => {
      const list = /^\s+(?:build-depends:|,)\s*(.+)$/i.exec(line)?.[1] ?? "";
      return list.split(",").flatMap((item) => /^\s*([a-zA-Z][\w-]*)/.exec(item)?.[1] ?? []);
    }),
  });
}

/** R `DESCRIPTION`: indented lines continue a field. */
export function readRDescription(text: string): Manifest {
  const fields = new Map<string, string>();
  let key = "";
  for (const line of shortLines(text)) {
    const field = /^([A-Za-z@/]+):\s*(.*)$/.exec(line);
    if (field) {
      key = field[1] ?? "";
      fields.set(key, field[2] ?? "");
    } else if (/^\s/.test(line)) fields.set(key, `${fields.get(key) ?? ""} ${line.trim()}`);
  }
  const names = (field: string): string[] =>
    (fields.get(field) ?? "").split(",").flatMap((item) => /^\s*([\w.]+)/.exec(item)?.[1] ?? []);
  return createManifest({
    isPackage: fields.has("Package"),
    name: fields.get("Package"),
    version: fields.get("Version"),
    license: fields.get("License")?.replace(/\s*\+\s*file LICENSE/i, ""),
    dependencies: [...names("Imports"), ...names("Depends")].filter((name) => name !== "R"),
    devDependencies: names("Suggests"),
  });
}

/** Julia `Project.toml`. */
export function readJuliaProject(text: string): Manifest {
  const toml = parseToml(text);
  return createManifest({
    isPackage: tomlString(toml, "uuid") !== undefined,
    name: tomlString(toml, "name"),
    version: tomlString(toml, "version"),
    dependencies: Object.keys(tomlTable(toml, "deps")),
    devDependencies: Object.keys(tomlTable(toml, "extras")),
  });
}
