import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

/** Somebody else's package that is measured beside us. */
export interface Package {
  name: string;
  version: string;
  /** What else must lie beside it. */
  beside?: readonly string[];
  /** Whether it needs the programs that it runs when it is installed. */
  hasScripts?: boolean;
}

export const fullName = ({ name, version }: Package): string => `${name} ${version}`;

/**
 * Installs a package where it is not there yet, and gives the folder in which it lies. They are kept
 * between runs, apart from what this project depends on.
 */
export async function installed(wanted: Package): Promise<string> {
  const { name, version, beside = [], hasScripts = false } = wanted;
  const folder = resolve("node_modules", ".cache", "lectern", "others", name.replace(/\W/g, "-"));
  const about = join(folder, "node_modules", name, "package.json");
  if (existsSync(about) && JSON.parse(readFileSync(about, "utf8")).version === version) {
    return folder;
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const words = ["install", ...beside, `${name}@${version}`, "--no-audit", "--no-fund"];
  try {
    await promisify(execFile)("npm", [...words, ...(hasScripts ? [] : ["--ignore-scripts"])], {
      cwd: folder,
      timeout: 600_000,
      shell: process.platform === "win32",
    });
  } catch (error) {
    // What npm says names its registry, which is nobody's business on the page.
    process.stderr.write(`${error}\n`);
    throw new Error(`${fullName(wanted)} could not be installed.`);
  }
  return folder;
}
