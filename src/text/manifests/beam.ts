import { createManifest, firstMatch, type Manifest, shortLines } from "./manifest.ts";

/** `{:phoenix, "~> 1.7"}`; `only:` and `runtime: false` mark development dependencies. */
export function readMixExs(text: string): Manifest {
  const lines = shortLines(text);
  const needs = lines.flatMap((line) => {
    const name = /^\s*\{:(\w+),/.exec(line)?.[1];
    return name ? [{ name, isDev: /\bonly:|\bruntime:\s*false/.test(line) }] : [];
  });
  const apps = firstMatch(lines, /\bapps_path:\s*"([^"]+)"/);
  const starts = firstMatch(lines, /^\s*\[?\s*(mod:)\s*\{/);
  return createManifest({
    isPackage: apps === undefined,
    name: firstMatch(lines, /\bapp:\s*:(\w+)/),
    version: firstMatch(lines, /(?:@version|\bversion:)\s*"([^"]+)"/),
    description: firstMatch(lines, /\bdescription:\s*"([^"]+)"/),
    license: firstMatch(lines, /\blicenses:\s*\[\s*"([^"]+)"/),
    dependencies: needs.filter(({ isDev }) => !isDev).map(({ name }) => name),
    devDependencies: needs.filter(({ isDev }) => isDev).map(({ name }) => name),
    members: apps === undefined ? [] : [`${apps}/*`],
    // A library has a `package`; an application has a start module.
    isPrivate: firstMatch(lines, /^\s*(package:)/) === undefined && starts !== undefined,
  });
}

export function readRebarConfig(text: string): Manifest {
  const lines = shortLines(text);
  return createManifest({
    dependencies: lines.flatMap(
      (line) => /^\s*\{?(?:deps,\s*\[)?\{?(\w+),\s*["{]/.exec(line)?.[1] ?? [],
    ),
  });
}
