import { basename, dirname, join, relative, sep } from "node:path";
import type { InverseOperation } from "../approval/change.ts";
import { projectRefAt } from "../approval/project-ref.ts";
import type { Call } from "../call.ts";
import { Failure, undefinedIfNotFound } from "../failure.ts";
import { type Boundary, containsPath } from "../paths/boundary.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { Steps } from "../storage/steps.ts";
import { type FileEdit, outsideFolder } from "./file-edits.ts";
import { applyJournaled } from "./journaled-edits.ts";
import { withDirectory } from "./safe-directory.ts";

/** The old and new text of a file in a folder; null if it does not exist. */
export interface FileChange {
  /** Relative to the folder, with slashes. */
  file: string;
  before: string | null;
  after: string | null;
}

/** File changes with their entry in the change log. */
export interface FileChangeSet {
  fileChanges: readonly FileChange[];
  summary: string;
  operation: string;
  /** The inverse operation; `folders` are those created for the change. */
  undo(revertedChanges: FileChange[], folders: string[]): InverseOperation;
}

/** Changes with more characters than this cannot be undone. */
const maxUndoChars = 16_000_000;

/** Writes all files or none and records how to undo it. Returns the id of the change. */
export function* applyFileChanges(
  { boundary, changes }: Pick<Runtime, "boundary" | "changes">,
  root: string,
  { fileChanges, summary, operation, undo }: FileChangeSet,
  call: Call,
): Steps<number> {
  const folders: string[] = [];
  const revertedChanges = fileChanges.map(({ file, before, after }) => ({
    file,
    before: after,
    after: before,
  }));
  try {
    const edits = fileChanges.map((change) => toFileEdit(boundary, root, change, folders));
    const inverse = isUndoable(fileChanges) && { undo: undo(revertedChanges, folders) };
    const { id } = yield* applyJournaled(boundary, root, edits, () =>
      changes.record({ call, operation, summary, ...inverse, project: projectRefAt(root) }),
    );
    return id;
  } catch (error) {
    removeEmptyFolders(boundary, root, folders);
    throw toWriteFailure(error);
  }
}

/** Whether these changes are small enough to be stored for an undo. */
export function isUndoable(fileChanges: readonly FileChange[]): boolean {
  const lengths = fileChanges.map(
    ({ before, after }) => (before ?? "").length + (after ?? "").length,
  );
  return lengths.reduce((sum, length) => sum + length, 0) <= maxUndoChars;
}

/** The text of a file; fails if writing it back would change any byte. */
export function readExactText(
  boundary: Boundary,
  root: string,
  file: string,
  maxBytes?: number,
): string {
  const bytes = boundary.readFile(join(root, file), root, maxBytes);
  const text = bytes.toString("utf8");
  if (Buffer.from(text, "utf8").equals(bytes)) return text;
  throw new Failure("conflict", "not-utf8", `'${file}' is not UTF-8, so it is not changed.`, {
    hints: ["Save it as UTF-8 first."],
  });
}

/** Removes those folders that are empty, deepest first. */
export function removeEmptyFolders(
  boundary: Boundary,
  root: string,
  folders: readonly string[],
): void {
  for (const folder of [...folders].sort((a, b) => b.length - a.length)) {
    const fullPath = join(root, folder);
    try {
      const parent = boundary.assertAllowed(dirname(fullPath));
      if (fullPath === root || !containsPath(root, parent)) continue;
      withDirectory(boundary.openDirectory(parent), (directory) =>
        directory.removeFolder(basename(fullPath)),
      );
    } catch {
      // The folder is not empty or was already removed.
    }
  }
}

function toFileEdit(
  boundary: Boundary,
  root: string,
  { file, before, after }: FileChange,
  createdFolders: string[],
): FileEdit {
  const fullPath = join(root, file);
  const path =
    before === null
      ? createParentFolders(boundary, root, fullPath, createdFolders)
      : boundary.assertAllowed(fullPath);
  return { path, before: before ?? undefined, after: after ?? undefined };
}

/** Creates the missing parent folders. The existing ones must not be links out of the root. */
function createParentFolders(
  boundary: Boundary,
  root: string,
  path: string,
  createdFolders: string[],
): string {
  const missing: string[] = [];
  let folder = dirname(path);
  let existingParent = undefinedIfNotFound(() => boundary.assertAllowed(folder));
  while (existingParent === undefined && containsPath(root, dirname(folder))) {
    missing.unshift(basename(folder));
    folder = dirname(folder);
    existingParent = undefinedIfNotFound(() => boundary.assertAllowed(folder));
  }
  if (
    existingParent === undefined ||
    !containsPath(root, existingParent) ||
    !containsPath(root, path)
  )
    throw outsideFolder();
  let directory = boundary.openDirectory(existingParent);
  try {
    for (const [index, name] of missing.entries()) {
      if (tryCreate(() => directory.makeFolder(name))) {
        const created = join(folder, ...missing.slice(0, index + 1));
        createdFolders.push(relative(root, created).split(sep).join("/"));
      }
      const inner = directory.openFolder(name);
      directory.close();
      directory = inner;
    }
    return join(directory.path, basename(path));
  } finally {
    directory.close();
  }
}

/** False if another process created the folder first; then a rollback must not remove it. */
function tryCreate(make: () => void): boolean {
  try {
    make();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** A full disk or a read-only folder is an expected failure that the user can fix. */
function toWriteFailure(error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (error instanceof Failure || code === undefined || syscall === undefined) return error;
  const isBlocked = code === "EEXIST" || code === "ENOTDIR";
  return isBlocked
    ? new Failure("conflict", "exists", "A file exists where a folder is needed.", {
        hints: ["Move it, or name another folder. Nothing was written."],
        cause: error,
      })
    : new Failure("unavailable", "not-writable", `The files cannot be written (${code}).`, {
        hints: ["Check permissions and free space. Nothing was written."],
        cause: error,
      });
}
