import { realpathSync, type Stats, statSync } from "node:fs";

/**
 * The stat of a path, following links; undefined if it is inaccessible. A path that was just
 * resolved may have been removed, moved or replaced by a cyclic link.
 */
export function statOrUndefined(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

export const isFolder = (path: string): boolean => statOrUndefined(path)?.isDirectory() ?? false;

/** The real path of a regular file; undefined if there is none or it is inaccessible. */
export function resolveRegularFile(path: string): string | undefined {
  try {
    const real = realpathSync.native(path);
    return statOrUndefined(real)?.isFile() ? real : undefined;
  } catch {
    return undefined;
  }
}
