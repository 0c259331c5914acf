import { allMatches, createManifest, firstMatch, type Manifest, shortLines } from "./manifest.ts";

/**
 * Gems outside groups, or in groups that are not for development only, are runtime dependencies. A
 * gem with a `path` is part of the workspace.
 */
export function readGemfile(text: string): Manifest {
  const [dependencies, devDependencies, members]: [string[], string[], string[]] = [[], [], []];
  const blocks: boolean[] = [];
  for (const line of shortLines(text).filter((given) => !/^\s*#/.test(given))) {
    const isGroup = /^\s*group\b.*:(test|development|dev|docs?)\b/.test(line);
    if (/\bdo\s*(\|[^|]*\|)?\s*(#.*)?$|^\s*(if|unless|case)\b/.test(line)) {
      blocks.push(isGroup || blocks.at(-1) === true);
    } else if (/^\s*end\b/.test(line)) blocks.pop();
    const isDev = blocks.at(-1) ?? false;
    const gem = /^\s*gem\s*\(?\s*["']([^"']+)["']/.exec(line)?.[1];
    if (gem === undefined) continue;
    const isMarked = /\bgroups?:\s*\[?\s*:(test|development)/.test(line);
    (isDev || isMarked ? devDependencies : dependencies).push(gem);
    const folder = /\bpath(?::|\s*=>)\s*["']([^"']+)["']/.exec(line)?.[1];
    if (folder !== undefined) members.push(folder);
  }
  return createManifest({ isPackage: false, dependencies, devDependencies, members });
}

/** A gem may consist of gems in folders of the same names. */
export function readGemspec(text: string): Manifest {
  const lines = shortLines(text);
  const dependencies = allMatches(lines, /\.add_(?:runtime_)?dependency\s*\(?\s*["']([^"']+)["']/);
  return createManifest({
    name: firstMatch(lines, /\.name\s*=\s*["']([^"']+)["']/),
    version: firstMatch(lines, /\.version\s*=\s*["']([^"']+)["']/),
    description: firstMatch(lines, /\.summary\s*=\s*["']([^"']+)["']/),
    license: firstMatch(lines, /\.licenses?\s*=\s*\[?\s*["']([^"']+)["']/),
    dependencies,
    members: dependencies,
    devDependencies: allMatches(lines, /\.add_development_dependency\s*\(?\s*["']([^"']+)["']/),
  });
}
