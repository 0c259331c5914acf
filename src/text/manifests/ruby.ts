import { allMatches, firstMatch, type Manifest, manifest, shortLines } from "./manifest.ts";

/**
 * Gems outside of a group, or in none that is only for making it, are needed to run. A gem that is
 * taken from a folder of this repository belongs to it.
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
  return manifest({ isPackage: false, dependencies, devDependencies, members });
}

/** A gem may be made of gems that lie in folders of their names. */
export function readGemspec(text: string): Manifest {
  const lines = shortLines(text);
  const dependencies = allMatches(lines, /\.add_(?:runtime_)?dependency\s*\(?\s*["']([^"']+)["']/);
  return manifest({
    name: firstMatch(lines, /\.name\s*=\s*["']([^"']+)["']/),
    version: firstMatch(lines, /\.version\s*=\s*["']([^"']+)["']/),
    description: firstMatch(lines, /\.summary\s*=\s*["']([^"']+)["']/),
    license: firstMatch(lines, /\.licenses?\s*=\s*\[?\s*["']([^"']+)["']/),
    dependencies,
    members: dependencies,
    devDependencies: allMatches(lines, /\.add_development_dependency\s*\(?\s*["']([^"']+)["']/),
  });
}
