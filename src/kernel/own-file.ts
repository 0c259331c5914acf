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
import { contains } from "./boundary.ts";

/**
 * Makes a file of the home for its owner alone, also where an older version made it for everybody.
 * SQLite itself would make it readable to all, and whoever reads a database can lock it; the files
 * that SQLite puts beside it get the same mode.
 */
export function makeOwn(path: string): void {
  const fd = openSync(path, "a", 0o600);
  try {
    const { mode } = fstatSync(fd);
    if (process.platform !== "win32" && (mode & 0o077) !== 0) fchmodSync(fd, mode & 0o700);
  } finally {
    closeSync(fd);
  }
}

/** The files of a home by their names. A secret that was readable is replaced, never kept. */
const homeFile = /^(?:config\.json|lectern\.sqlite|lease\.|deputy-lease\.)/;

/**
 * Removes the permissions of others from a home and its files, which an older version, or a copy by
 * another program, has left readable.
 *
 * A home can be set to a folder that serves other purposes too, such as `/tmp` or the folder that is
 * served. Such a folder keeps its mode, and so do files that are reached by a link; a home of another
 * user is theirs to protect.
 */
export function tightenHome(folder: string, served: string): void {
  if (process.platform === "win32") return;
  const stats = statSync(folder);
  const isShared = isSticky(stats) || contains(folder, served) || contains(folder, homedir());
  if (!isShared) tighten(folder, stats);
  for (const name of readdirSync(folder)) {
    if (!homeFile.test(name)) continue;
    const path = join(folder, name);
    // Another process may remove it at this moment.
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.isFile()) tighten(path, found);
  }
}

function tighten(path: string, { mode, uid }: Stats): void {
  if ((mode & 0o077) === 0 || uid !== process.getuid?.()) return;
  try {
    chmodSync(path, mode & 0o700);
  } catch {
    // A file system that is read-only or knows no permissions can still be used.
  }
}

const isSticky = ({ mode }: Stats): boolean => (mode & 0o1000) !== 0;
