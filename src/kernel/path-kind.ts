import { type Stats, statSync } from "node:fs";

/**
 * What is at a path, links followed, or nothing where it cannot be looked at: what was there a moment
 * ago, when its path was resolved, may be gone, moved or swapped for a link that leads in a circle.
 */
export function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

export const isFolder = (path: string): boolean => statOf(path)?.isDirectory() ?? false;
