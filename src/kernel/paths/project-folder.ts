import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** The file that every QualCoder project folder contains, regardless of the folder's name. */
export const projectDatabase = "data.qda";

/** Whether a name is that of a project folder, or of a project that is only a database. */
const isProjectName = (name: string): boolean => name.toLowerCase().endsWith(".qda");

/** Whether a path is a project folder, or a project that is only a database. */
export function isProjectPath(path: string): boolean {
  if (isProjectName(basename(path))) return true;
  try {
    return lstatSync(join(path, projectDatabase), { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** The same for a folder with known entries. */
export const isProjectFolder = (folder: string, entries: readonly { name: string }[]): boolean =>
  isProjectName(basename(folder)) ||
  entries.some(({ name }) => name.toLowerCase() === projectDatabase);

/** The innermost project that contains a real path or is at that path. Stops at `within`. */
export function findEnclosingProject(path: string, within?: string): string | undefined {
  for (let current = path; current !== within; current = dirname(current)) {
    if (isProjectPath(current)) return current;
    if (dirname(current) === current) break;
  }
  return undefined;
}

/** How long the result for a folder is cached, in milliseconds. */
const cacheMs = 1_000;

/**
 * Finds the project of a file, given a path without links. A search does this for each match, so
 * results for folders are cached for a second.
 */
export function createProjectCheck(): (file: string) => boolean {
  let cached = new Map<string, boolean>();
  let validUntil = 0;
  const isInProject = (folder: string): boolean => {
    const known = cached.get(folder);
    if (known !== undefined) return known;
    const parent = dirname(folder);
    const found = isProjectPath(folder) || (parent !== folder && isInProject(parent));
    cached.set(folder, found);
    return found;
  };
  return (file) => {
    const now = performance.now();
    if (now > validUntil) {
      cached = new Map();
      validUntil = now + cacheMs;
    }
    return isProjectName(basename(file)) || isInProject(dirname(file));
  };
}

/**
 * The innermost project that contains a regular file, given its real path, or the file itself if it
 * is a project.
 */
export const findProjectOfFile = (file: string, within?: string): string | undefined =>
  isProjectName(basename(file)) ? file : findEnclosingProject(dirname(file), within);

/**
 * The real path, or for a missing file the real path that it would have. This way, the error for a
 * path inside a project does not depend on whether the file exists.
 */
export function resolveAllowingMissing(path: string, links = 0): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    if (parent === path || links > 64) return path;
    const resolved = join(resolveAllowingMissing(parent, links), basename(path));
    const target = readLinkTarget(resolved);
    return target === undefined
      ? resolved
      : resolveAllowingMissing(resolve(dirname(resolved), target), links + 1);
  }
}

function readLinkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
