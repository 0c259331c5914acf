import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { inDirectory, openDirectory } from "./safe-directory.ts";
import { temporaryName } from "./temporary-name.ts";

/** The text of a small file of ours, or nothing where there is none. */
export function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** The stamp of a file that is not there. */
export const absent = "absent";

/** Differs whenever the file does: a replaced file is another inode, even in the same moment. */
export function stampOf(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat ? `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}` : absent;
}

/**
 * Replaces a file so that every reader, and the disk after a power cut, has either the old or
 * the new one whole. A copy stays beside it as `.bak`, for the day when somebody breaks the file.
 * A link keeps pointing at the file.
 */
export function replaceFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  replaceOne(existsSync(path) ? realpathSync.native(path) : path, text);
  replaceOne(`${path}.bak`, text);
}

function replaceOne(path: string, text: string): void {
  inDirectory(openDirectory(realpathSync.native(dirname(path))), (directory) => {
    const fresh = temporaryName();
    directory.removeAbandoned();
    try {
      directory.write(fresh, text, 0o600);
      directory.rename(fresh, basename(path));
      // The new name itself is only safe once its folder is.
      if (!path.endsWith(".bak")) directory.sync();
    } finally {
      directory.remove(fresh);
    }
  });
}

/** Renames a damaged file, so that a person can still look at it; gives its new name. */
export function putAside(path: string): string {
  const aside = asideOf(path);
  renameSync(path, aside);
  return aside;
}

/** A free name for what is damaged, beside the place where it stood. The clock may show a time twice. */
export function asideOf(path: string, now = new Date()): string {
  for (let time = now.getTime(); ; time++) {
    const aside = `${path}.damaged-${new Date(time).toISOString().replace(/[:.]/g, "-")}`;
    if (!existsSync(aside)) return aside;
  }
}
