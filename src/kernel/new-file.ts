import { constants, copyFileSync, linkSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { uniqueName } from "./hashing.ts";

/**
 * Makes a file whole or not at all: it is written beside its place, under a name that nobody else
 * has, and put there when it is finished. What is there already stays, unless it shall be replaced;
 * a link in that place is then replaced too, and not written through.
 */
export async function makeFile(
  path: string,
  write: (fresh: string) => void | Promise<void>,
  { overwrite = false } = {},
): Promise<void> {
  const fresh = join(dirname(path), `.${uniqueName()}.new`);
  try {
    await write(fresh);
    if (overwrite) renameSync(fresh, path);
    else putNew(fresh, path);
  } finally {
    rmSync(fresh, { force: true });
  }
}

/** Gives a file its second name, never over a file that is there: `EEXIST` where it is taken. */
export function putNew(fresh: string, path: string): void {
  try {
    linkSync(fresh, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw error;
    // Some file systems know no links.
    copyFileSync(fresh, path, constants.COPYFILE_EXCL);
  }
}
