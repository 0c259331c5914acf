import { statSync } from "node:fs";
import { basename } from "node:path";
import { isFull, isReadOnly, isUnopenable, isUnwritable } from "./database.ts";
import { Failure } from "./failure.ts";

/** What keeps a file from being used, in words; systems and SQLite have codes for it. */
export function troubleInWords(error: unknown): string | undefined {
  if (isFull(error)) return "the disk is full";
  if (isUnwritable(error)) return "the disk is full, or fails";
  if (isReadOnly(error)) return "the disk or the file is read-only";
  if (isUnopenable(error)) return "a file in it cannot be opened";
  return systemWords[(error as NodeJS.ErrnoException).code ?? ""];
}

const systemWords: Record<string, string | undefined> = {
  EACCES: "no permission",
  EPERM: "no permission",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk is full",
  ENOTDIR: "a file is where a folder is needed",
  EISDIR: "a folder is where a file is needed",
};

/** A home that cannot be made, read or written is the user's to mend, and not an accident of ours. */
export function homeUnusable(cause: NodeJS.ErrnoException, path = cause.path): Failure {
  const { code } = cause;
  // On a disk that is read-only, Node says ENOENT of a folder that it cannot make.
  const other = code === "ENOENT" ? "its folder cannot be made" : `the system says ${code}`;
  const isFolder = path !== undefined && isFolderInTheWay(path);
  const words = isFolder
    ? `${basename(path)} is a folder, and should be a file`
    : (troubleInWords(cause) ?? other);
  const remedy = isFolder
    ? "Move it away, or set LECTERN_HOME to another folder."
    : isFull(cause) || isUnwritable(cause)
      ? "Make some space, or set LECTERN_HOME to another folder."
      : "Set LECTERN_HOME to a folder that can be written, or run `lectern doctor`.";
  return new Failure("unavailable", "home-unusable", `The home cannot be used: ${words}.`, {
    hints: [remedy],
    cause,
  });
}

/** Whether a folder lies where a file of the home belongs. */
function isFolderInTheWay(path: string): boolean {
  const isFile = /\.(sqlite|json)$/.test(path);
  return isFile && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
