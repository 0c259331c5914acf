import { allMatches, firstMatch, type Manifest, manifest, shortLines } from "./manifest.ts";

/** Gems outside of a group, or in none that is only for making it, are needed to run. */
export function readGemfile(text: string): Manifest {
  const [dependencies, devDependencies]: [string[], string[]] = [[], []];
  let isDev = false;
  for (const line of shortLines(text)) {
    if (/^\s*group\b/.test(line)) isDev = /:(test|development|dev|docs?)\b/.test(line);
    else if (/^\s*end\b/.test(line)) isDev = false;
    const gem = /^\s*gem\s*\(?\s*["']([^"']+)["']/.exec(line)?.[1];
    if (gem === undefined) continue;
    const isMarked = /\bgroups?:\s*\[?\s*:(test|development)/.test(line);
    (isDev || isMarked ? devDependencies : dependencies).push(gem);
  }
  return manifest({ isPackage: false, dependencies, devDependencies });
}

export function readGemspec(text: string): Manifest {
  const lines = shortLines(text);
  return manifest({
    name: firstMatch(lines, /\.name\s*=\s*["']([^"']+)["']/),
    version: firstMatch(lines, /\.version\s*=\s*["']([^"']+)["']/),
    description: firstMatch(lines, /\.summary\s*=\s*["']([^"']+)["']/),
    license: firstMatch(lines, /\.licenses?\s*=\s*\[?\s*["']([^"']+)["']/),
    dependencies: allMatches(lines, /\.add_(?:runtime_)?dependency\s*\(?\s*["']([^"']+)["']/),
    devDependencies: allMatches(lines, /\.add_development_dependency\s*\(?\s*["']([^"']+)["']/),
  });
}
