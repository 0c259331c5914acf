import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** Lies in the folder of every QualCoder project, whatever the folder is called. */
export const projectDatabase = "data.qda";

/** Whether a name is that of a project's folder, or of a project that is a database alone. */
const isProjectName = (name: string): boolean => name.toLowerCase().endsWith(".qda");

/** Whether this is a project's folder, or a project that is a database alone. */
export function isProject(path: string): boolean {
  if (isProjectName(basename(path))) return true;
  try {
    return lstatSync(join(path, projectDatabase), { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** The same of a folder whose entries are known. */
export const isProjectOf = (folder: string, entries: readonly { name: string }[]): boolean =>
  isProjectName(basename(folder)) ||
  entries.some(({ name }) => name.toLowerCase() === projectDatabase);

/** The innermost project that a real path is or lies in. The search ends below `within`. */
export function projectHolding(path: string, within?: string): string | undefined {
  for (let place = path; place !== within; place = dirname(place)) {
    if (isProject(place)) return place;
    if (dirname(place) === place) break;
  }
  return undefined;
}

/** How long the answer for a folder is reused, in milliseconds. */
const cacheMs = 1_000;

/**
 * Tells whether a file lies in a project, by a path on which nothing is a link. A search asks this for
 * each of its hits, so answers for folders are cached for a second.
 */
export function openProjectCache(): (file: string) => boolean {
  let cached = new Map<string, boolean>();
  let validUntil = 0;
  const isInProject = (folder: string): boolean => {
    const known = cached.get(folder);
    if (known !== undefined) return known;
    const parent = dirname(folder);
    const found = isProject(folder) || (parent !== folder && isInProject(parent));
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

/** The innermost project that a regular file lies in, by its real path, or that it is itself. */
export const projectOfFile = (file: string, within?: string): string | undefined =>
  isProjectName(basename(file)) ? file : projectHolding(dirname(file), within);

/**
 * The real path of what is there, or where something would lie that is not: so that what is asked
 * for inside a project gets one answer, whether it exists or not.
 */
export function settledPath(path: string, links = 0): string {
  try {
    return realpathSync.native(path);
  } catch {
    const above = dirname(path);
    if (above === path || links > 64) return path;
    const place = join(settledPath(above, links), basename(path));
    const target = linkTarget(place);
    return target === undefined ? place : settledPath(resolve(dirname(place), target), links + 1);
  }
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
