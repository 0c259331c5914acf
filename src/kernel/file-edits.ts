import { basename, dirname, join, relative, sep } from "node:path";
import { type Boundary, contains } from "./boundary.ts";
import { Failure } from "./failure.ts";
import type { SafeDirectory } from "./safe-directory.ts";

/** A file of a person, as it was read and as it is to be. */
export interface FileEdit {
  /** A real path. */
  path: string;
  /** Undefined where there is no such file yet, and there must be none. */
  before: string | undefined;
  /** Undefined where the file shall go. */
  after: string | undefined;
}

/**
 * Writes several files, all or none. Each is written beside its place first; nothing is put in
 * place while a file is not as it was read, and what was put in place is taken back if a later one
 * fails. A crash in between leaves whole files, some old and some new.
 */
export function applyEdits(boundary: Boundary, within: string, edits: readonly FileEdit[]): void {
  const folders = new Map<string, SafeDirectory>();
  const placed: PlacedEdit[] = [];
  try {
    for (const edit of edits) {
      const folder = boundary.admit(dirname(edit.path));
      if (!contains(within, folder)) throw outside();
      const directory = folders.get(folder) ?? boundary.openDirectory(folder);
      folders.set(folder, directory);
      placed.push({ ...edit, directory, name: basename(edit.path), fresh: besideName(edit.path) });
    }
    for (const { directory, name, before, after, fresh } of placed) {
      if (after === undefined) continue;
      const mode = before === undefined ? undefined : directory.stat(name)?.mode;
      directory.remove(fresh);
      directory.write(fresh, after, mode);
    }
    for (const { path, before } of edits) {
      if (before === undefined) continue;
      const now = boundary.readFile(path, within).toString("utf8");
      if (now !== before) throw changedMeanwhile(path, within);
    }
    for (const directory of folders.values()) directory.verify();
    putInPlace(placed, within);
    for (const directory of folders.values()) directory.sync();
  } finally {
    try {
      for (const { directory, fresh } of placed) directory.remove(fresh);
    } finally {
      for (const directory of folders.values()) directory.close();
    }
  }
}

/** Where a process puts a file before it is put in its place. */
export const besideOf = (path: string, pid = process.pid): string =>
  join(dirname(path), besideName(path, pid));

export const besideName = (path: string, pid = process.pid): string =>
  `.${basename(path)}.${pid}.new`;

interface PlacedEdit extends FileEdit {
  directory: SafeDirectory;
  name: string;
  /** Where the new file waits, and where one that goes is laid aside. */
  fresh: string;
}

function putInPlace(edits: readonly PlacedEdit[], within: string): void {
  const takeBack: (() => void)[] = [];
  try {
    for (const { path, directory, name, before, after, fresh } of edits) {
      if (before === undefined) {
        putFirst(() => directory.putNew(fresh, name), path, within);
        takeBack.push(() => directory.remove(name));
      } else if (after === undefined) {
        directory.rename(name, fresh);
        takeBack.push(() => directory.rename(fresh, name));
      } else {
        const mode = directory.stat(name)?.mode;
        directory.rename(fresh, name);
        takeBack.push(() => {
          directory.write(fresh, before, mode);
          directory.rename(fresh, name);
        });
      }
    }
  } catch (error) {
    for (const undo of takeBack.reverse()) undo();
    throw error;
  }
}

/** Never over a file that somebody else made meanwhile. */
function putFirst(put: () => void, path: string, within: string): void {
  try {
    put();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === "EEXIST" ? takenMeanwhile(path, within) : error;
  }
}

const shownFrom = (within: string, path: string): string =>
  relative(within, path).split(sep).join("/");

const changedMeanwhile = (path: string, within: string): Failure =>
  new Failure(
    "conflict",
    "changed",
    `'${shownFrom(within, path)}' was changed meanwhile; nothing was written.`,
    { hints: ["Try again."] },
  );

const takenMeanwhile = (path: string, within: string): Failure =>
  new Failure(
    "conflict",
    "exists",
    `'${shownFrom(within, path)}' is there already; nothing was written.`,
    { hints: ["Try again, or give another title."] },
  );

/** A file that a link or its path leads out of the folder it is to be written in. */
export const outside = (): Failure =>
  new Failure("forbidden", "out-of-root", "This file belongs to a folder outside the root.", {
    hints: ["Name a file inside of it. Nothing was written."],
  });
