import { statSync } from "node:fs";
import { Failure } from "../failure.ts";

/**
 * Watches the identity of open files. Writes to a deleted file succeed and are lost when the
 * process ends, so writers check that the file is still at its path before they report success.
 */
export interface FileIdentityWatch {
  /** False after one of them was removed or replaced, or its file system was unmounted. */
  areInPlace(): boolean;
}

export function watchFileIdentity(paths: readonly string[]): FileIdentityWatch {
  const identities = new Map<string, string>();
  const isInPlace = (path: string): boolean => {
    const [before, current] = [identities.get(path), fileIdentity(path)];
    // A file that is created later is watched from then on.
    if (before === undefined && current !== noFile) identities.set(path, current);
    return before === undefined || before === current;
  };
  const areInPlace = (): boolean => paths.every(isInPlace);
  areInPlace();
  return { areInPlace };
}

const noFile = "none";

/** Identifies the file at a path by device and inode; `none` if there is none. */
export function fileIdentity(path: string): string {
  try {
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stat ? `${stat.dev}:${stat.ino}` : noFile;
  } catch {
    return noFile;
  }
}

export const homeGone = (): Failure =>
  new Failure(
    "unavailable",
    "home-gone",
    "The home was removed or replaced while this process ran, so nothing can be stored.",
    { hints: ["Restore the folder if it was moved, then restart Lectern."] },
  );
