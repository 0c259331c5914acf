import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

/** A third-party package for comparison. */
export interface Package {
  name: string;
  version: string;
  /** Packages to install with it. */
  companions?: readonly string[];
  /** Whether it needs its install scripts. */
  hasScripts?: boolean;
}

export const fullName = ({ name, version }: Package): string => `${name} ${version}`;

/**
 * Installs a package unless it is cached, and returns its folder. The cache is separate from this
 * project's dependencies.
 */
export async function installPackage(wanted: Package): Promise<string> {
  const { name, version, companions = [], hasScripts = false } = wanted;
  const folder = resolve("node_modules", ".cache", "lectern", "others", name.replace(/\W/g, "-"));
  const manifest = join(folder, "node_modules", name, "package.json");
  if (existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).version === version) {
    return folder;
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const args = ["install", ...companions, `${name}@${version}`, "--no-audit", "--no-fund"];
  try {
    await promisify(execFile)("npm", [...args, ...(hasScripts ? [] : ["--ignore-scripts"])], {
      cwd: folder,
      timeout: 600_000,
      shell: process.platform === "win32",
    });
  } catch (error) {
    // npm's message contains the registry's address, which does not belong on the page.
    process.stderr.write(`${error}\n`);
    throw new Error(`${fullName(wanted)} could not be installed.`);
  }
  return folder;
}
