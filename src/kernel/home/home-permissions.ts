import {
  chmodSync,
  closeSync,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  type Stats,
  statSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { containsPath } from "../paths/boundary.ts";

/**
 * Creates a file of the home with mode 0600, or restricts an existing one. SQLite would make it
 * world-readable, and a process that can read a database can lock it. The files that SQLite creates
 * beside it get the same mode.
 */
export function ensurePrivateFile(path: string): void {
  const fd = openSync(path, "a", 0o600);
  try {
    const { mode } = fstatSync(fd);
    if (process.platform !== "win32" && (mode & 0o077) !== 0) fchmodSync(fd, mode & 0o700);
  } finally {
    closeSync(fd);
  }
}

/**
 * The files of a home whose mode is restricted. Secrets are not included: one that others can read
 * is replaced.
 */
const homeFilePattern = /^(?:config\.json|lectern\.sqlite|lease\.|deputy-lease\.)/;

/**
 * Removes group and other permissions from a home and its files, which an older version or a copy
 * by another program may have left readable.
 *
 * A home may be a folder with other uses, such as `/tmp` or the served folder. Such a folder keeps
 * its mode, and so do files that are symbolic links and files of another user.
 */
export function restrictHomePermissions(folder: string, served: string): void {
  if (process.platform === "win32") return;
  const stats = statSync(folder);
  const isShared =
    isSticky(stats) || containsPath(folder, served) || containsPath(folder, homedir());
  if (!isShared) restrictPermissions(folder, stats);
  for (const name of readdirSync(folder)) {
    if (!homeFilePattern.test(name)) continue;
    const path = join(folder, name);
    // Another process may just have removed it.
    const fileStats = lstatSync(path, { throwIfNoEntry: false });
    if (fileStats?.isFile()) restrictPermissions(path, fileStats);
  }
}

function restrictPermissions(path: string, { mode, uid }: Stats): void {
  if ((mode & 0o077) === 0 || uid !== process.getuid?.()) return;
  try {
    chmodSync(path, mode & 0o700);
  } catch {
    // A file system that is read-only or without permissions can still be used.
  }
}

const isSticky = ({ mode }: Stats): boolean => (mode & 0o1000) !== 0;
