import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { openDirectory, withDirectory } from "./safe-directory.ts";
import { temporaryName } from "./temporary-name.ts";

/** The text of a small file written by Lectern; undefined if it does not exist. */
export function readTextIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** The stamp of a missing file. */
export const absentStamp = "absent";

/** Changes whenever the file does: a replaced file has another inode, even if its times are equal. */
export function fileStamp(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat ? `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}` : absentStamp;
}

/**
 * Replaces a file atomically: readers, and the disk after a power failure, have either the old or
 * the new content. A copy is saved as `.bak`, in case the file is damaged by later manual edits. A
 * symbolic link is preserved; its target is replaced.
 */
export function replaceFileAtomically(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  replaceSingleFile(existsSync(path) ? realpathSync.native(path) : path, text);
  replaceSingleFile(`${path}.bak`, text);
}

/** Unfinished files of a home are closed to callers, like the finished ones. */
const homeFile = ".home";

function replaceSingleFile(path: string, text: string): void {
  withDirectory(openDirectory(realpathSync.native(dirname(path))), (directory) => {
    const temporary = temporaryName(homeFile);
    directory.removeStaleTemporaries();
    try {
      directory.write(temporary, text, 0o600);
      directory.rename(temporary, basename(path));
      // A rename is durable only after its folder is synced.
      if (!path.endsWith(".bak")) directory.sync();
    } finally {
      directory.remove(temporary);
    }
  });
}

/** Renames a damaged file, so that the user can inspect it; returns its new name. */
export function moveAside(path: string): string {
  const aside = asidePath(path);
  renameSync(path, aside);
  return aside;
}

/**
 * A free name beside a damaged file. Two calls may see the same time, so the time is increased
 * until the name is free.
 */
export function asidePath(path: string, now = new Date()): string {
  for (let time = now.getTime(); ; time++) {
    const aside = `${path}.damaged-${new Date(time).toISOString().replace(/[:.]/g, "-")}`;
    if (!existsSync(aside)) return aside;
  }
}
