import { statSync } from "node:fs";
import { basename } from "node:path";
import { Failure } from "../failure.ts";
import {
  isCannotOpenError,
  isDiskFullError,
  isReadOnlyError,
  isWriteError,
} from "../storage/database.ts";

/** A readable description of a known error of the file system or of SQLite. */
export function describeIoError(error: unknown): string | undefined {
  if (isDiskFullError(error)) return "the disk is full";
  if (isWriteError(error)) return "the disk is full or failing";
  if (isReadOnlyError(error)) return "the disk or the file is read-only";
  if (isCannotOpenError(error)) return "a file in it cannot be opened";
  return systemErrorText[(error as NodeJS.ErrnoException).code ?? ""];
}

const systemErrorText: Record<string, string | undefined> = {
  EACCES: "no permission",
  EPERM: "no permission",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk is full",
  ENOTDIR: "a file exists where a folder is needed",
  EISDIR: "a folder exists where a file is needed",
};

/** The failure for a home that cannot be created, read or written; the user can fix it. */
export function homeUnusable(cause: NodeJS.ErrnoException, path = cause.path): Failure {
  const { code } = cause;
  // On a read-only disk, Node reports ENOENT for a folder that it cannot create.
  const fallback =
    code === "ENOENT" ? "its folder cannot be created" : `the system reports ${code}`;
  const isFolder = path !== undefined && isFolderAtFilePath(path);
  const reason = isFolder
    ? `${basename(path)} is a folder and not a file`
    : (describeIoError(cause) ?? fallback);
  const remedy = isFolder
    ? "Move it, or set LECTERN_HOME to another folder."
    : isDiskFullError(cause) || isWriteError(cause)
      ? "Free some disk space, or set LECTERN_HOME to another folder."
      : "Set LECTERN_HOME to a writable folder, or run `lectern doctor`.";
  return new Failure("unavailable", "home-unusable", `The home cannot be used: ${reason}.`, {
    hints: [remedy],
    cause,
  });
}

/** Whether a folder exists at the path of a home's file. */
function isFolderAtFilePath(path: string): boolean {
  const isFile = /\.(sqlite|json)$/.test(path);
  return isFile && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
