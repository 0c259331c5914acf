import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";

/** The text of a small file of ours, or nothing where there is none. */
export function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Differs whenever the file does: a replaced file is another inode, even in the same moment. */
export function stampOf(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat ? `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}` : "absent";
}

/**
 * Replaces a file so that every reader, and the disk after a power cut, has either the old or
 * the new one whole. A copy stays beside it as `.bak`, for the day when somebody breaks the file.
 * A link keeps pointing at the file.
 */
export function replaceFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const target = existsSync(path) ? realpathSync.native(path) : path;
  const [next, copy] = [`${target}.${process.pid}.tmp`, `${path}.bak.${process.pid}.tmp`];
  try {
    writeThrough(next, text);
    renameSync(next, target);
    syncFolder(dirname(target));
    writeThrough(copy, text);
    renameSync(copy, `${path}.bak`);
  } finally {
    for (const leftover of [next, copy]) rmSync(leftover, { force: true });
  }
}

/** Renames a damaged file, so that a person can still look at it; gives its new name. */
export function putAside(path: string): string {
  const aside = asideOf(path);
  renameSync(path, aside);
  return aside;
}

/** A name for what is damaged, beside the place where it stood. */
export const asideOf = (path: string): string =>
  `${path}.damaged-${new Date().toISOString().replace(/[:.]/g, "-")}`;

/** Writes a file so that it outlives a power cut. */
export function writeThrough(path: string, text: string, mode = 0o600): void {
  const fd = openSync(path, "w", mode);
  try {
    const bytes = Buffer.from(text, "utf8");
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** The new name itself is only safe once its folder is. Windows neither needs nor allows it. */
export function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const fd = openSync(folder, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
