import { firstMatch, type Manifest, manifest, shortLines } from "./manifest.ts";

/** `{:phoenix, "~> 1.7"}`; `only:` and `runtime: false` mark what is for making it. */
export function readMixExs(text: string): Manifest {
  const lines = shortLines(text);
  const needs = lines.flatMap((line) => {
    const name = /^\s*\{:(\w+),/.exec(line)?.[1];
    return name ? [{ name, isDev: /\bonly:|\bruntime:\s*false/.test(line) }] : [];
  });
  const apps = firstMatch(lines, /\bapps_path:\s*"([^"]+)"/);
  const starts = firstMatch(lines, /^\s*\[?\s*(mod:)\s*\{/);
  return manifest({
    isPackage: apps === undefined,
    name: firstMatch(lines, /\bapp:\s*:(\w+)/),
    version: firstMatch(lines, /(?:@version|\bversion:)\s*"([^"]+)"/),
    description: firstMatch(lines, /\bdescription:\s*"([^"]+)"/),
    license: firstMatch(lines, /\blicenses:\s*\[\s*"([^"]+)"/),
    dependencies: needs.filter(({ isDev }) => !isDev).map(({ name }) => name),
    devDependencies: needs.filter(({ isDev }) => isDev).map(({ name }) => name),
    members: apps === undefined ? [] : [`${apps}/*`],
    // What is offered to others has a `package`; what is only run has a module that starts it.
    isPrivate: firstMatch(lines, /^\s*(package:)/) === undefined && starts !== undefined,
  });
}

export function readRebarConfig(text: string): Manifest {
  const lines = shortLines(text);
  return manifest({
    dependencies: lines.flatMap(
      (line) => /^\s*\{?(?:deps,\s*\[)?\{?(\w+),\s*["{]/.exec(line)?.[1] ?? [],
    ),
  });
}
