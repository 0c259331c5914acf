import { basename, dirname, join, relative, sep } from "node:path";
import { Failure } from "../failure.ts";
import { type Boundary, containsPath } from "../paths/boundary.ts";
import type { SafeDirectory } from "./safe-directory.ts";

/** The text of a user's file as it was read, and its new text. */
export interface FileEdit {
  /** A real path. */
  path: string;
  /** Undefined for a file to create, which must not exist. */
  before: string | undefined;
  /** Undefined for a file to delete. */
  after: string | undefined;
}

/**
 * Writes several files, all or none. Each is staged beside its target first. No target is replaced
 * if any file has changed since it was read, and replaced targets are restored if a later one
 * fails. A crash leaves whole files, some old and some new.
 */
export function applyFileEdits(
  boundary: Boundary,
  within: string,
  edits: readonly FileEdit[],
): void {
  const folders = new Map<string, SafeDirectory>();
  const staged: StagedEdit[] = [];
  try {
    for (const edit of edits) {
      const folder = boundary.assertAllowed(dirname(edit.path));
      if (!containsPath(within, folder)) throw outsideFolder();
      const directory = folders.get(folder) ?? boundary.openDirectory(folder);
      folders.set(folder, directory);
      staged.push({
        ...edit,
        directory,
        name: basename(edit.path),
        stagedName: stagingName(edit.path),
      });
    }
    for (const { directory, name, before, after, stagedName } of staged) {
      if (after === undefined) continue;
      const mode = before === undefined ? undefined : directory.stat(name)?.mode;
      directory.remove(stagedName);
      directory.write(stagedName, after, mode);
    }
    for (const { path, before } of edits) {
      if (before === undefined) continue;
      const current = boundary.readFile(path, within).toString("utf8");
      if (current !== before) throw changedConcurrently(path, within);
    }
    for (const directory of folders.values()) directory.verify();
    commitEdits(staged, within);
    for (const directory of folders.values()) directory.sync();
  } finally {
    try {
      for (const { directory, stagedName } of staged) directory.remove(stagedName);
    } finally {
      for (const directory of folders.values()) directory.close();
    }
  }
}

/** The path at which a process stages a file. */
export const stagingPath = (path: string, pid = process.pid): string =>
  join(dirname(path), stagingName(path, pid));

export const stagingName = (path: string, pid = process.pid): string =>
  `.${basename(path)}.${pid}.new`;

interface StagedEdit extends FileEdit {
  directory: SafeDirectory;
  name: string;
  /** Name of the staged new file, or of a deleted file until the commit. */
  stagedName: string;
}

function commitEdits(edits: readonly StagedEdit[], within: string): void {
  const undoSteps: (() => void)[] = [];
  try {
    for (const { path, directory, name, before, after, stagedName } of edits) {
      if (before === undefined) {
        putNewFile(() => directory.moveToNew(stagedName, name), path, within);
        undoSteps.push(() => directory.remove(name));
      } else if (after === undefined) {
        directory.rename(name, stagedName);
        undoSteps.push(() => directory.rename(stagedName, name));
      } else {
        const mode = directory.stat(name)?.mode;
        directory.rename(stagedName, name);
        undoSteps.push(() => {
          directory.write(stagedName, before, mode);
          directory.rename(stagedName, name);
        });
      }
    }
  } catch (error) {
    for (const undo of undoSteps.reverse()) undo();
    throw error;
  }
}

/** Never overwrites a file that another process created meanwhile. */
function putNewFile(put: () => void, path: string, within: string): void {
  try {
    put();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === "EEXIST" ? createdConcurrently(path, within) : error;
  }
}

const relativePath = (within: string, path: string): string =>
  relative(within, path).split(sep).join("/");

const changedConcurrently = (path: string, within: string): Failure =>
  new Failure(
    "conflict",
    "changed",
    `'${relativePath(within, path)}' was changed meanwhile; nothing was written.`,
    { hints: ["Try again."] },
  );

const createdConcurrently = (path: string, within: string): Failure =>
  new Failure(
    "conflict",
    "exists",
    `'${relativePath(within, path)}' already exists; nothing was written.`,
    { hints: ["Try again, or choose another title."] },
  );

/** A file whose path, or a link in it, leads out of the folder. */
export const outsideFolder = (): Failure =>
  new Failure("forbidden", "out-of-root", "This file is in a folder outside the root.", {
    hints: ["Name a file inside the root. Nothing was written."],
  });
